package io.busbar.fabric.shm;

import io.busbar.linux.Mapping;
import io.busbar.linux.MemoryFile;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/** How far a process was when it was killed: in a file, which outlives it. */
final class Progress {
  private final MemorySegment memory;

  Progress(Path path) {
    try (MemoryFile file = MemoryFile.openOrCreate(path.toString())) {
      file.reserve(4096);
      memory = Mapping.of(file, 0, 4096).segment();
    }
  }

  void begins(long number) {
    Shared.release(memory, 0, number + 1);
  }

  void done(long number) {
    Shared.release(memory, 8, number + 1);
  }

  /** Numbers that were begun. */
  long begun() {
    return Shared.acquire(memory, 0);
  }

  /** Numbers that were surely sent. */
  long sent() {
    return Shared.acquire(memory, 8);
  }
}

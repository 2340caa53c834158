package io.busbar.memory;

import io.busbar.linux.Errno;
import io.busbar.linux.FileStatus;
import io.busbar.linux.MapOption;
import io.busbar.linux.Mapping;
import io.busbar.linux.MemoryAdvice;
import io.busbar.linux.MemoryFile;
import io.busbar.linux.SystemCallException;
import io.busbar.linux.ThisProcess;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Memory that is there when its object is: reserved, mapped, populated, and pinned where the limit
 * allows it. A file system or a machine that is too small is an error here, and no SIGBUS later;
 * the first touch of a page costs nothing.
 *
 * <p>New memory is zero, which is all that a {@link Pool} asks of it; nothing else is ever written
 * here, so that there is no half-made memory. Whoever shares it agrees on its layout elsewhere.
 */
public final class ResidentMemory implements AutoCloseable {
  private final Mapping mapping;
  private final boolean pinned;

  /** What {@link #close} closes; null for memory of this process, and for a file of the caller. */
  private final @Nullable MemoryFile file;

  /** What {@link #close} removes; null when this process did not make it. */
  private final @Nullable String made;

  private ResidentMemory(
      Mapping mapping, Pinning pinning, @Nullable MemoryFile file, @Nullable String made) {
    this.mapping = mapping;
    this.file = file;
    this.made = made;
    try {
      populate(mapping);
      pinned = pinning.pin(mapping);
    } catch (RuntimeException e) {
      mapping.close();
      throw e;
    }
  }

  /** Memory of this process alone. */
  public static ResidentMemory ofProcess(long bytes, Pinning pinning) {
    Mapping mapping = Mapping.anonymous(bytes, MapOption.POPULATE);
    return new ResidentMemory(mapping, pinning, null, null);
  }

  /** Memory without a path (a memfd), which others open by {@link #path} while this one lives. */
  public static ResidentMemory anonymous(String name, long bytes, Pinning pinning) {
    MemoryFile file = MemoryFile.anonymous(name);
    try {
      file.reserve(bytes);
      return new ResidentMemory(map(file, 0, bytes), pinning, file, null);
    } catch (RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /** A new file at a path, on tmpfs such as {@code /dev/shm}; {@link #close} removes the path. */
  public static ResidentMemory create(String path, long bytes, Pinning pinning) {
    MemoryFile file = MemoryFile.create(path);
    try {
      file.reserve(bytes);
      return new ResidentMemory(map(file, 0, bytes), pinning, file, path);
    } catch (RuntimeException e) {
      file.close();
      MemoryFile.unlink(path);
      throw e;
    }
  }

  /** The first bytes of a file that another process made, by its {@link #path}. */
  public static ResidentMemory open(String path, long bytes, Pinning pinning) {
    MemoryFile file = MemoryFile.open(path);
    try {
      return new ResidentMemory(map(file, 0, bytes), pinning, file, null);
    } catch (RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /** A part of an open file, which stays the caller's; from a multiple of the page on. */
  public static ResidentMemory part(MemoryFile file, long offset, long bytes, Pinning pinning) {
    return new ResidentMemory(map(file, offset, bytes), pinning, null, null);
  }

  private static Mapping map(MemoryFile file, long offset, long bytes) {
    FileStatus status = FileStatus.of(file.descriptor());
    if (offset > status.bytes() - bytes) {
      throw new IllegalStateException(
          ("%s has %d bytes, and %d from %d on were to be mapped: who makes it has not finished, or"
                  + " died before; try again, or remove it")
              .formatted(file.descriptor().name(), status.bytes(), bytes, offset));
    }
    if (status.reservedBytes() < status.bytes()) {
      file.reserve(status.bytes()); // it has holes, and a touch of one could fail
    }
    return Mapping.of(file, offset, bytes, MapOption.POPULATE);
  }

  /** Unlike MAP_POPULATE, this says when it fails, and leaves no fault for the first write. */
  private static void populate(Mapping mapping) {
    try {
      mapping.advise(MemoryAdvice.POPULATE_WRITE, 0, mapping.bytes());
    } catch (SystemCallException e) {
      if (e.errno() != Errno.EINVAL) { // before Linux 5.14, MAP_POPULATE has to do
        throw e;
      }
    }
  }

  /** The memory, for any thread; an access after {@link #close} is an exception. */
  public MemorySegment segment() {
    return mapping.segment();
  }

  /** Whether the pages are kept from being paged out. */
  public boolean isPinned() {
    return pinned;
  }

  /** The file that others share, and that {@link Participants} lock. */
  public MemoryFile file() {
    if (file == null) {
      throw new IllegalStateException("%s has no file of its own".formatted(mapping));
    }
    return file;
  }

  /** Where others open it: its path, or that of a descriptor of this process. */
  public String path() {
    int number = file().descriptor().number();
    String name = file().descriptor().name();
    return name.startsWith("/") ? name : "/proc/%d/fd/%d".formatted(ThisProcess.pid(), number);
  }

  /** Unmaps it, and removes the path that it made. Others who have it keep it. */
  @Override
  public void close() {
    boolean open = mapping.isOpen();
    mapping.close();
    try {
      if (open && made != null && leadsHere(made)) {
        MemoryFile.unlink(made);
      }
    } finally {
      if (file != null) {
        file.close();
      }
    }
  }

  /** Whether a path still leads to this file; somebody may have removed or replaced it. */
  private boolean leadsHere(String path) {
    try (MemoryFile found = MemoryFile.openReadOnly(path)) {
      long inode = FileStatus.of(found.descriptor()).inode();
      return inode == FileStatus.of(file().descriptor()).inode();
    } catch (SystemCallException e) {
      return false;
    }
  }

  @Override
  public String toString() {
    return mapping + (pinned ? ", pinned" : "");
  }
}

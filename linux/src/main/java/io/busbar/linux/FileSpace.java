package io.busbar.linux;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How much a file system can still take.
 *
 * @param totalBytes its size; 0 when it has no limit of its own, as that of a memfd
 * @param freeBytes what this process may still use of it
 * @param inMemory whether its files are memory (tmpfs)
 */
public record FileSpace(long totalBytes, long freeBytes, boolean inMemory) {
  private static final long TYPE = Offsets.of(SystemLayouts.STATFS, "f_type");
  private static final long BLOCK_BYTES = Offsets.of(SystemLayouts.STATFS, "f_bsize");
  private static final long BLOCKS = Offsets.of(SystemLayouts.STATFS, "f_blocks");
  private static final long AVAILABLE = Offsets.of(SystemLayouts.STATFS, "f_bavail");

  /** The file system that a path is on. */
  public static FileSpace of(String path) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment statfs = arena.allocate(SystemLayouts.STATFS);
      return of(FileCalls.statfs(arena.allocateFrom(path), statfs), statfs, path, "statfs");
    }
  }

  /** The file system that an open file is on. */
  public static FileSpace of(FileDescriptor fd) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment statfs = arena.allocate(SystemLayouts.STATFS);
      return of(FileCalls.fstatfs(fd.number(), statfs), statfs, fd.name(), "fstatfs");
    }
  }

  private static FileSpace of(int result, MemorySegment statfs, String name, String call) {
    if (result < 0) {
      throw new SystemCallException("find the free space of " + name, call, -result);
    }
    long block = statfs.get(JAVA_LONG, BLOCK_BYTES);
    return new FileSpace(
        block * statfs.get(JAVA_LONG, BLOCKS),
        block * statfs.get(JAVA_LONG, AVAILABLE),
        statfs.get(JAVA_LONG, TYPE) == FileNumbers.TMPFS_MAGIC);
  }

  /** What can be reserved: a file system in memory cannot hold more than the machine has left. */
  public long allocatableBytes() {
    long own = totalBytes == 0 ? Long.MAX_VALUE : freeBytes;
    return inMemory ? Math.min(own, availableMemoryBytes()) : own;
  }

  /** {@code MemAvailable} of {@code /proc/meminfo}, in which it stands in kilobytes. */
  static long availableMemoryBytes() {
    try (var lines = Files.lines(Path.of("/proc/meminfo"))) {
      return lines
          .filter(line -> line.startsWith("MemAvailable:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
          .findFirst()
          .orElse(Long.MAX_VALUE);
    } catch (IOException e) {
      return Long.MAX_VALUE; // without /proc the kernel alone decides
    }
  }
}

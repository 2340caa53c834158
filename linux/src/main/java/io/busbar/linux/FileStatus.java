package io.busbar.linux;

import static io.busbar.linux.FileNumbers.AT_EMPTY_PATH;
import static io.busbar.linux.FileNumbers.STATX_BLOCKS;
import static io.busbar.linux.FileNumbers.STATX_INO;
import static io.busbar.linux.FileNumbers.STATX_NLINK;
import static io.busbar.linux.FileNumbers.STATX_SIZE;
import static io.busbar.linux.SystemLayouts.STATX;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A file as it was when it was looked at.
 *
 * @param inode its number on its file system: a path with another one is another file now
 * @param links paths that lead to it; 0 when it was removed, or never had one
 * @param bytes its size
 * @param reservedBytes the space that it takes; less than its size when it has holes
 */
public record FileStatus(long inode, int links, long bytes, long reservedBytes) {
  private static final long INODE = Offsets.of(STATX, "stx_ino");
  private static final long LINKS = Offsets.of(STATX, "stx_nlink");
  private static final long SIZE = Offsets.of(STATX, "stx_size");
  private static final long BLOCKS = Offsets.of(STATX, "stx_blocks");

  /** The kernel counts in blocks of 512 bytes, whatever the file system does. */
  private static final long BLOCK_BYTES = 512;

  /** Looks at an open file. */
  public static FileStatus of(FileDescriptor fd) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment status = arena.allocate(STATX);
      int mask = STATX_INO | STATX_NLINK | STATX_SIZE | STATX_BLOCKS;
      MemorySegment itself = arena.allocateFrom("");
      int result = FileCalls.statx(fd.number(), itself, AT_EMPTY_PATH, mask, status);
      if (result < 0) {
        throw new SystemCallException("look at " + fd.name(), "statx", -result);
      }
      return new FileStatus(
          status.get(JAVA_LONG, INODE),
          status.get(JAVA_INT, LINKS),
          status.get(JAVA_LONG, SIZE),
          status.get(JAVA_LONG, BLOCKS) * BLOCK_BYTES);
    }
  }
}

package io.busbar.fabric.shm;

import io.busbar.linux.Errno;
import io.busbar.linux.FileStatus;
import io.busbar.linux.MemoryFile;
import io.busbar.linux.OfdLock;
import io.busbar.linux.SystemCallException;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The names of segments and their doorbells, and what dead processes left of them. A process holds
 * a lock on the first byte of its segment while it lives; the kernel drops it when it ends, however
 * it ends. A file without the lock belongs to nobody.
 */
final class SegmentFiles {
  private static final String PREFIX = "busbar-";
  private static final String SEGMENT = ".seg";
  private static final String BELL = ".bell";

  private final Path directory;

  SegmentFiles(String directory) {
    this.directory = Path.of(directory);
  }

  String segment(long token) {
    return directory.resolve(PREFIX + HexFormat.of().toHexDigits(token) + SEGMENT).toString();
  }

  boolean exists(long token) {
    return Files.exists(Path.of(segment(token)));
  }

  String bell(long token) {
    return directory.resolve(PREFIX + HexFormat.of().toHexDigits(token) + BELL).toString();
  }

  /** Whether the owner of an open segment lives. */
  static boolean isAlive(MemoryFile segment) {
    return OfdLock.isHeld(segment, 0, 1);
  }

  /** Whether the owner of a segment lives; false when there is none, or it cannot be looked at. */
  boolean isAlive(long token) {
    try (MemoryFile file = MemoryFile.open(segment(token))) {
      return isAlive(file);
    } catch (SystemCallException e) {
      return false;
    }
  }

  /** The lock on an open segment; null when a living process has it, or the name is gone. */
  static @Nullable OfdLock tryLock(MemoryFile segment) {
    OfdLock lock = OfdLock.tryExclusive(segment, 0, 1).orElse(null);
    return lock == null || FileStatus.of(segment.descriptor()).links() == 0 ? null : lock;
  }

  /** Removes the files of a segment whose owner is dead; false when it lives. */
  boolean removeDead(long token) {
    try (MemoryFile file = MemoryFile.open(segment(token))) {
      if (isAlive(file)) { // most do, and a look is cheaper than a refusal
        return false;
      }
      if (tryLock(file) == null) {
        return FileStatus.of(file.descriptor()).links() == 0;
      }
      remove(token);
      return true;
    } catch (SystemCallException e) {
      return e.errno() == Errno.ENOENT; // others: not ours to remove
    }
  }

  /** Removes the files of a segment that the caller has locked. */
  void remove(long token) {
    unlink(bell(token));
    unlink(segment(token));
  }

  /** A place for the doorbell of a segment that the caller has locked. */
  String freshBell(long token) {
    unlink(bell(token));
    return bell(token);
  }

  private static void unlink(String path) {
    try {
      MemoryFile.unlink(path);
    } catch (SystemCallException e) {
      if (e.errno() != Errno.ENOENT) {
        throw e;
      }
    }
  }

  /** Removes what dead processes left; how many segments. */
  int sweep() {
    int removed = 0;
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(directory, PREFIX + "*" + SEGMENT)) {
      for (Path path : files) {
        String name = path.getFileName().toString();
        String hex = name.substring(PREFIX.length(), name.length() - SEGMENT.length());
        if (hex.length() == 16 && hex.chars().allMatch(HexFormat::isHexDigit)) {
          removed += removeDead(HexFormat.fromHexDigitsToLong(hex)) ? 1 : 0;
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      return removed; // a directory that cannot be read is told about when the segment is made
    }
    return removed;
  }
}

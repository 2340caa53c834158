package io.busbar.node.stat;

import io.busbar.linux.Errno;
import io.busbar.linux.FileStatus;
import io.busbar.linux.MemoryFile;
import io.busbar.linux.OfdLock;
import io.busbar.linux.SystemCallException;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The names and places of files of counters, and what dead processes left of them. A process holds
 * a lock on the first byte of its file while it lives; the kernel drops it when it ends, however it
 * ends. A file without the lock belongs to nobody.
 */
final class StatFiles {
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");
  private static final Pattern NAME = Pattern.compile("busbar-([0-9]{1,9})-[0-9a-f]{1,16}\\.stat");

  private StatFiles() {}

  /** Where nodes put their files unless told otherwise, the preferred place first. */
  static List<Path> places() {
    Path temporary = Path.of(System.getProperty("java.io.tmpdir", "/tmp"));
    return Stream.of(SHARED_MEMORY, temporary).distinct().toList();
  }

  static Path path(Path directory, int pid, long serial) {
    return directory.resolve("busbar-%d-%x.stat".formatted(pid, serial));
  }

  /** The process in a file's name; 0 when it is not the name of such a file. */
  static int pid(Path path) {
    Path name = path.getFileName();
    Matcher matcher = NAME.matcher(name == null ? "" : name.toString());
    return matcher.matches() ? Integer.parseInt(matcher.group(1)) : 0;
  }

  /**
   * The files in a directory that have such a name, in order; none when it cannot be read. What is
   * no plain file is left out: to open a FIFO would wait for its other end.
   */
  static List<Path> in(Path directory) {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "busbar-*.stat")) {
      for (Path path : files) {
        if (pid(path) > 0 && Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
          found.add(path);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      return List.of();
    }
    Collections.sort(found);
    return found;
  }

  /** Whether the owner of an open file lives. */
  static boolean isAlive(MemoryFile file) {
    return OfdLock.isHeld(file, 0, 1);
  }

  /** The lock on an open file; null when a living process has it, or the name is gone. */
  static @Nullable OfdLock tryLock(MemoryFile file) {
    OfdLock lock = OfdLock.tryExclusive(file, 0, 1).orElse(null);
    return lock == null || FileStatus.of(file.descriptor()).links() == 0 ? null : lock;
  }

  /** Removes the files of dead owners, as far as this process may; how many. */
  static int sweep(Path directory) {
    int removed = 0;
    for (Path path : in(directory)) {
      removed += removeDead(path) ? 1 : 0;
    }
    return removed;
  }

  private static boolean removeDead(Path path) {
    try (MemoryFile file = MemoryFile.open(path.toString())) {
      if (isAlive(file) || tryLock(file) == null) {
        return false;
      }
      remove(path);
      return true;
    } catch (SystemCallException e) {
      return false; // gone meanwhile, or not ours to remove
    }
  }

  /** Removes a file that the caller has locked. */
  static void remove(Path path) {
    try {
      MemoryFile.unlink(path.toString());
    } catch (SystemCallException e) {
      if (e.errno() != Errno.ENOENT) {
        throw e;
      }
    }
  }
}

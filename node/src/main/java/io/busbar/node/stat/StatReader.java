package io.busbar.node.stat;

import io.busbar.linux.Errno;
import io.busbar.linux.MapOption;
import io.busbar.linux.Mapping;
import io.busbar.linux.MemoryFile;
import io.busbar.linux.SystemCallException;
import io.busbar.wire.StatLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads files of counters, also while they are written. Whatever a file holds, the answer is a
 * snapshot or a reason, and never an exception.
 */
public final class StatReader {
  private StatReader() {}

  /** Where nodes of this host put their files unless told otherwise. */
  public static List<Path> places() {
    return StatFiles.places();
  }

  /**
   * All files of counters in a directory, those of dead owners too; none when there is no such
   * directory.
   */
  public static List<StatReading> list(Path directory) {
    List<StatReading> found = new ArrayList<>();
    for (Path path : StatFiles.in(directory)) {
      StatReading reading = read(path);
      if (!(reading instanceof Unreadable) || Files.exists(path)) { // it may have gone meanwhile
        found.add(reading);
      }
    }
    return found;
  }

  /** One file, whatever its name. */
  public static StatReading read(Path path) {
    if (!Files.isRegularFile(path)) {
      return unreadable(path, Files.exists(path) ? "is no plain file" : "is not there");
    }
    try (MemoryFile file = MemoryFile.openReadOnly(path.toString())) {
      return read(path, file);
    } catch (SystemCallException e) {
      boolean refused = e.errno() == Errno.EACCES || e.errno() == Errno.EPERM;
      return unreadable(
          path,
          refused
              ? "belongs to another user: look as that user, or as root"
              : "cannot be read: " + e.getMessage());
    } catch (InternalError e) { // the JVM's word for a touch behind the end of a file
      return cut(path);
    }
  }

  private static StatReading read(Path path, MemoryFile file) {
    boolean alive = StatFiles.isAlive(file);
    long bytes = file.size();
    if (bytes == 0 && alive) {
      return unreadable(path, "is still being made: look again");
    }
    if (bytes < StatLayout.FILE_BYTES) {
      return unreadable(
          path,
          "is no file of counters, or was cut short: it has %d bytes, and %d are needed"
              .formatted(bytes, StatLayout.FILE_BYTES));
    }
    StatReading reading;
    try (Mapping mapping = Mapping.of(file, 0, StatLayout.FILE_BYTES, MapOption.READ_ONLY)) {
      reading = new StatDecoder(path, alive, mapping.segment()).read();
    } catch (IndexOutOfBoundsException e) { // cut between the look at its size and the mapping
      return cut(path);
    }
    return file.size() < StatLayout.FILE_BYTES ? cut(path) : reading;
  }

  private static Unreadable cut(Path path) {
    return unreadable(path, "was cut short while it was read");
  }

  static Unreadable unreadable(Path path, String why) {
    return new Unreadable(path, StatFiles.pid(path), why);
  }
}

package io.busbar.bench.contest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder for the files of both ends; it goes with the contest or the JVM. */
public final class Folder implements AutoCloseable {
  private static final Path MEMORY = Path.of("/dev/shm");

  private final Path path;
  private final Thread atExit = Thread.ofPlatform().name("bench-removal").unstarted(this::delete);

  private Folder(Path parent) {
    try {
      path = Files.createTempDirectory(parent, "busbar-bench-");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make a folder in " + parent, e);
    }
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /** In shared memory. */
  public static Folder inMemory() {
    return new Folder(MEMORY);
  }

  /** Where programs may be kept, which shared memory often refuses to run. */
  static Folder forPrograms() {
    return new Folder(Path.of(System.getProperty("java.io.tmpdir")));
  }

  Path file(String name) {
    return path.resolve(name);
  }

  @Override
  public String toString() {
    return path.toString();
  }

  private void delete() {
    try (Stream<Path> files = Files.walk(path)) {
      List<Path> all = files.sorted(Comparator.reverseOrder()).toList();
      for (Path file : all) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + path, e);
    }
  }

  @Override
  public void close() {
    if (Runtime.getRuntime().removeShutdownHook(atExit)) {
      delete();
    }
  }
}

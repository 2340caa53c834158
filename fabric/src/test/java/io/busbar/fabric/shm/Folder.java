package io.busbar.fabric.shm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A folder in shared memory for the segments of one test, removed with all that is in it. */
final class Folder implements AutoCloseable {
  final Path path;

  Folder() {
    try {
      path = Files.createTempDirectory(Path.of("/dev/shm"), "busbar-test-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The names of the files in it. */
  List<String> names() {
    try (Stream<Path> files = Files.list(path)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      for (String name : names()) {
        Files.deleteIfExists(path.resolve(name));
      }
      Files.delete(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

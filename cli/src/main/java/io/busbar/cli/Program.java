package io.busbar.cli;

import java.io.IOException;
import java.io.Serial;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is to be run as the processes of a job. */
sealed interface Program permits SourceProgram, OwnProgram, ClassProgram, JarProgram {
  /**
   * How {@code java} is told of it.
   *
   * @param path folders and jars of its classes
   * @param words what follows the options
   * @param shares whether it has classes in packages of Busbar, and runs without modules
   */
  record Start(List<Path> path, List<String> words, boolean shares) {}

  /** What was given is no program: why, and what to do. */
  final class NoProgram extends Exception {
    @Serial private static final long serialVersionUID = 1;

    NoProgram(String message) {
      super(message);
    }
  }

  /**
   * Makes it ready to be started any number of times.
   *
   * @param classes an empty folder, for what is compiled
   * @param err takes what the compiler has to say
   * @return null when it does not compile
   */
  @Nullable Start prepare(Path classes, Writer err) throws IOException, NoProgram;
}

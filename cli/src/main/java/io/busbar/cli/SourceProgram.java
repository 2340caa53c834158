package io.busbar.cli;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A source file.
 *
 * @param file its path
 * @param libraries folders and jars of classes that it uses
 */
record SourceProgram(Path file, List<Path> libraries) implements Program {
  /** What the names of such files end in. */
  static final String SUFFIX = ".java";

  @Override
  public @Nullable Start prepare(Path classes, Writer err) throws IOException, NoProgram {
    if (!file.toString().endsWith(SUFFIX)) {
      throw new NoProgram(
          "%s is no Java source file; its name must end in %s".formatted(file, SUFFIX)
              + (file.toString().endsWith(".jar") ? ", or -jar stand before that of a jar" : ""));
    }
    if (!Files.isRegularFile(file)) {
      throw new NoProgram(
          Files.exists(file)
              ? "%s is no file; give the path of a Java source file".formatted(file)
              : "there is no file %s; give the path of a Java source file".formatted(file));
    }
    Compiled compiled = Compiled.from(file, libraries, classes, err);
    err.flush();
    if (!compiled.clean()) {
      return null;
    }
    if (compiled.main() == null) {
      throw new NoProgram(
          "%s has no class with a main method; give it one, such as void main() {...}"
              .formatted(file));
    }
    List<Path> path = new ArrayList<>(List.of(classes));
    path.addAll(libraries);
    return new Start(path, List.of(compiled.main()), compiled.shares());
  }
}

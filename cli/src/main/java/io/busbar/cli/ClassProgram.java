package io.busbar.cli;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A class that was compiled before.
 *
 * @param main its name
 * @param path folders and jars of classes
 */
record ClassProgram(String main, List<Path> path) implements Program {
  @Override
  public Start prepare(Path classes, Writer err) throws IOException, NoProgram {
    if (!ClassPath.holds(path, main)) {
      throw new NoProgram(
          "there is no class %s in %s%s; give -cp the folder above its package, or its jar"
              .formatted(main, ClassPath.text(path), missing()));
    }
    return new Start(path, List.of(main), SharedPackages.areIn(path));
  }

  private String missing() {
    List<Path> missing =
        path.stream().filter(element -> !Files.exists(ClassPath.place(element))).toList();
    return missing.isEmpty() ? "" : ", of which %s does not exist".formatted(missing.getFirst());
  }
}

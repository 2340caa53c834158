package io.busbar.cli;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * A jar whose manifest says which class is the main one, and may name other jars.
 *
 * @param file its path
 */
record JarProgram(Path file) implements Program {
  @Override
  public Start prepare(Path classes, Writer err) throws IOException, NoProgram {
    if (!Files.isRegularFile(file)) {
      throw new NoProgram(
          Files.exists(file)
              ? "%s is no file; give the path of a jar".formatted(file)
              : "there is no file %s; give the path of a jar".formatted(file));
    }
    String main = main();
    if (main == null) {
      throw new NoProgram(
          "%s has no Main-Class in its manifest; name a class: -cp %s MAIN".formatted(file, file));
    }
    if (!ClassPath.holds(List.of(file), main)) {
      throw new NoProgram(
          "the Main-Class of %s, %s, is neither in it nor in its Class-Path; make the jar anew"
              .formatted(file, main));
    }
    return SharedPackages.areIn(List.of(file)) // java looks at no other path beside -jar
        ? new Start(List.of(file), List.of(main), true)
        : new Start(List.of(), List.of("-jar", file.toString()), false);
  }

  private @Nullable String main() throws IOException, NoProgram {
    try (JarFile jar = new JarFile(file.toFile())) {
      Manifest manifest = jar.getManifest();
      String main =
          manifest == null
              ? null
              : manifest.getMainAttributes().getValue(Attributes.Name.MAIN_CLASS);
      return main == null ? null : main.strip();
    } catch (ZipException e) {
      throw new NoProgram("%s is no jar: %s; make it anew".formatted(file, e.getMessage()));
    }
  }
}

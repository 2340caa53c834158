package io.busbar.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A source file that comes with this command. It is written to the folder of its classes, so that
 * it goes when that goes, however the launcher ends.
 *
 * @param name its name, which is that of a resource beside this class
 */
record OwnProgram(String name) implements Program {
  @Override
  public @Nullable Start prepare(Path classes, Writer err) throws IOException, NoProgram {
    Path source = classes.resolve(name);
    try (InputStream text =
        Objects.requireNonNull(OwnProgram.class.getResourceAsStream(name), name)) {
      long _ = Files.copy(text, source);
    }
    return new SourceProgram(source, List.of()).prepare(classes, err);
  }
}

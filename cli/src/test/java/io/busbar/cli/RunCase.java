package io.busbar.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A launcher in this JVM, its output caught, and sources for it. */
abstract class RunCase {
  private final PrintStream realOut = System.out;
  private final PrintStream realErr = System.err;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @TempDir private Path folder = Path.of("");

  @BeforeEach
  void catchOutput() {
    System.setOut(new PrintStream(out, true, UTF_8));
    System.setErr(new PrintStream(err, true, UTF_8));
  }

  @AfterEach
  void giveOutputBack() {
    System.setOut(realOut);
    System.setErr(realErr);
  }

  final Path folder() {
    return folder;
  }

  final String out() {
    return out.toString(UTF_8);
  }

  final String err() {
    return err.toString(UTF_8);
  }

  final Path source(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  static int run(Object... words) {
    List<String> all =
        new ArrayList<>(List.of("run", "--java-opts=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"));
    for (Object word : words) {
      all.add(word.toString());
    }
    return Main.run(all.toArray(String[]::new));
  }
}

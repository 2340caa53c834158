package io.busbar.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** No source switches a check off, and no test is switched off. */
class NoOptOutsTest {
  private static final List<String> OPT_OUTS =
      List.of(
          "@" + "SuppressWarnings", "spotless:" + "off", "@" + "Disabled", "@" + "formatter:off");

  @Test
  void everySourceObeysEveryCheck() throws IOException {
    List<Path> sources = sources();
    assertThat(sources).hasSizeGreaterThan(100);
    List<String> found = new ArrayList<>();
    for (Path source : sources) {
      String text = Files.readString(source);
      OPT_OUTS.stream()
          .filter(text::contains)
          .forEach(word -> found.add(source.getFileName() + " has " + word));
    }
    assertThat(found).isEmpty();
  }

  private static List<Path> sources() throws IOException {
    Path root = Path.of("").toAbsolutePath();
    while (root != null && !Files.exists(root.resolve("busbar"))) {
      root = root.getParent();
    }
    assertThat(root).as("the repository's root").isNotNull();
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !file.toString().contains("/target/"))
          .toList();
    }
  }
}

package io.busbar.lab.bed;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What is missing is named, with the command that brings it. */
class PackagesTest {
  @Test
  void whatCannotBeInstalledSaysWhatToDo() {
    Packages packages = new Packages(false, _ -> {});
    assertThatThrownBy(() -> packages.need("no-such-program", List.of("one", "two")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no-such-program")
        .hasMessageContaining("apt-get install one two");
    packages.need("sh", List.of("dash"));
    packages.need("/bin/sh", List.of("dash"));
  }

  @Test
  void commandThatFailsSaysWhy() {
    assertThatThrownBy(() -> Packages.run(List.of("sh", "-c", "echo some; echo reason; exit 3")))
        .hasMessageContaining("exit 3")
        .hasMessageEndingWith("reason");
  }
}

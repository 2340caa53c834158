package io.busbar.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks go to hosts in the order of the list. */
class HostListTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void slotsAreFilledInOrder() {
    assertThat(HostList.parse("b:2,a,me@c:1").slots()).containsExactly("b", "b", "a", "me@c");
  }

  @Test
  void fileHasRemarks() throws Exception {
    Path file = Files.writeString(folder.resolve("hosts"), "# ours\nb:2  # big\n\n a\n");
    assertThat(HostList.read(file).slots()).containsExactly("b", "b", "a");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "a,,b", "a:0", "a:b", "a:", ":2", "-oProxyCommand=x", "a b", "a:1025"})
  void whatIsNoHostIsNamed(String text) {
    assertThatThrownBy(() -> HostList.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void seedsAreAddresses() {
    assertThat(HostList.parse("10.0.0.1:2,me@10.0.0.2,127.0.0.1,no.such.invalid").seeds())
        .containsExactly("10.0.0.1", "10.0.0.2");
  }
}

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

  /** Files that were written for Open MPI, and for MPICH, do as they are. */
  @Test
  void fileMayBeThatOfAnotherLauncher() throws Exception {
    String text =
        """
        # Open MPI's
        b slots=2
        me@a max_slots=8 slots=1   # of eight

        c\tslots = 2 max-slots = 2
        # MPICH's
        d:2

        e
        """;
    Path file = Files.writeString(folder.resolve("hosts"), text.replace("e\n", "e\r\n"));
    assertThat(HostList.read(file).slots())
        .containsExactly("b", "b", "me@a", "c", "c", "d", "d", "e");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a slots=x",
        "a slots=",
        "a slots=0",
        "a slots=1025",
        "a:2 slots=2",
        "a slots=2 slots=2",
        "a slots=3 max_slots=2",
        "a max_slots=many",
        "a b",
        "a cpus=2",
        "a, b",
        "slots=2",
        "-oProxyCommand=x",
        "a:"
      })
  void wrongLineIsNamed(String line) throws Exception {
    Path file =
        Files.writeString(folder.resolve("hosts"), "# first\n\nb slots=1\n" + line + "\nc\n");
    assertThatThrownBy(() -> HostList.read(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(file + ", line 4: '" + line + "' ");
  }

  @Test
  void emptyFileIsNamed() throws Exception {
    Path file = Files.writeString(folder.resolve("hosts"), "# none\n\n");
    assertThatThrownBy(() -> HostList.read(file))
        .hasMessage(file + " names no host; write one in a line");
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

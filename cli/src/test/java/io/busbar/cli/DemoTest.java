package io.busbar.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The first thing that a newcomer runs prints a table, and says what it does. */
@Timeout(120)
class DemoTest extends RunCase {
  private static final String ROW = "%s +node 1 +[0-9.]+ us +[0-9,]+ +[0-9.]+ GB/s";

  @Test
  void tableHasARowForEachCarrier() {
    checkTable("demo", "-n", "2", "--quick");
  }

  @Tag("long")
  @Test
  void tableOfAllItsTimeHasTheSameRows() {
    checkTable("demo", "-n", "2");
  }

  private void checkTable(String... command) {
    assertThat(Main.run(command)).as(err()).isZero();
    List<String> lines = out().lines().toList();
    assertThat(lines).hasSize(3);
    assertThat(lines.get(0)).contains("round trip").contains("messages/s");
    assertThat(lines.get(1)).matches(ROW.formatted("shm"));
    assertThat(lines.get(2)).matches(ROW.formatted("udp"));
    assertThat(err()).contains("measuring shm to node 1").contains("measuring udp to node 1");
  }

  @Tag("long")
  @Test
  void rawEthernetRunsBetweenHostsOfItsOwn() {
    assertThat(Main.run("demo", "-n", "2", "--fabric", "xdp", "--fabric", "packet"))
        .as(err())
        .isZero();
    List<String> lines = out().lines().toList();
    assertThat(lines).hasSize(3);
    assertThat(lines.get(1)).matches(ROW.formatted("xdp"));
    assertThat(lines.get(2)).matches(ROW.formatted("packet"));
  }

  @Test
  void misuseIsExplained() {
    assertThat(Main.run("demo", "-n", "1")).isEqualTo(2);
    assertThat(err()).contains("-n is 1; it must be 2 to 16");
    assertThat(Main.run("demo", "--fabric", "pigeon")).isEqualTo(2);
    assertThat(err()).contains("there is no fabric pigeon");
  }
}

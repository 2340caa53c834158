package io.busbar.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the command prints, where, and with which exit code it ends. */
class MainTest {
  private final PrintStream realOut = System.out;
  private final PrintStream realErr = System.err;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

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

  private String out() {
    return out.toString(UTF_8);
  }

  private String err() {
    return err.toString(UTF_8);
  }

  @Test
  void helpTeaches() {
    assertThat(Main.run("lab", "--help")).isZero();
    assertThat(out()).contains("--seeds=N").contains("Examples:").contains("Exit codes:");
    assertThat(out()).contains("./busbar lab bus --seeds 500").contains("--nodes=N");
    assertThat(out().lines()).allMatch(line -> line.length() <= 100);
  }

  @Test
  void oneSeedIsToldReadably() {
    assertThat(Main.run("lab", "--seed", "3")).isZero();
    assertThat(out()).contains("seed 3: ").contains("trace hash").contains("faults drawn: ");
  }

  @Test
  void everyRunIsOneObjectALine() {
    assertThat(Main.run("lab", "--seeds", "3", "--from", "5", "--json")).isZero();
    assertThat(out().lines()).hasSize(3).allMatch(line -> line.endsWith("\"violation\":null}"));
    assertThat(out()).contains("{\"lab\":\"scenario\",\"seed\":5,\"ok\":true,");
  }

  @Test
  void theTraceShowsEveryFrame() {
    assertThat(Main.run("lab", "--seed", "12", "--trace")).isZero();
    assertThat(out().lines().filter(line -> line.contains("  sent  "))).hasSizeGreaterThan(1000);
    assertThat(out()).contains("FIRST key=").contains("ECNTL").contains("REPAIR").contains("lost");
  }

  @Test
  void theWholeStackIsRunByItsName() {
    assertThat(Main.run("lab", "messages", "--seed", "3")).isZero();
    assertThat(out()).contains("seed 3: ").contains(" messages with ").contains("faults drawn: ");
    assertThat(Main.run("lab", "messages", "--seeds", "2", "--json")).isZero();
    assertThat(out()).contains("{\"lab\":\"messages\",\"seed\":2,\"ok\":true,\"plot\":\"");
    assertThat(Main.run("lab", "messages", "--seed", "3", "--trace")).isZero();
    assertThat(out())
        .contains("FIRST key=")
        .contains(" sends to ")
        .contains(" is done with one of ");
  }

  @Test
  void ranksAreRunByTheName() {
    assertThat(Main.run("lab", "mpi", "--seed", "3", "--ranks", "4")).isZero();
    assertThat(out()).contains("seed 3: 4 ranks that ").contains(" collectives, ");
    assertThat(Main.run("lab", "mpi", "--seeds", "2", "--from", "8", "--json")).isZero();
    assertThat(out())
        .contains("{\"lab\":\"mpi\",\"seed\":8,\"ok\":true,\"ranks\":")
        .contains("{\"lab\":\"mpi\",\"seed\":9,\"ok\":true,\"ranks\":");
    assertThat(Main.run("lab", "mpi", "--seed", "3", "--ranks", "2", "--trace")).isZero();
    assertThat(out()).contains(" plays phase 0").contains("FIRST key=");
    assertThat(Main.run("lab", "bus", "--ranks", "4")).isEqualTo(2);
    assertThat(Main.run("lab", "mpi", "--ranks", "1")).isEqualTo(2);
    assertThat(Main.run("lab", "mpi", "--ranks", "33")).isEqualTo(2);
    assertThat(Main.run("lab", "mpi", "--nodes", "4")).isEqualTo(2);
  }

  @Test
  void theBusIsRunByItsName() {
    assertThat(Main.run("lab", "bus", "--seed", "3", "--nodes", "4")).isZero();
    assertThat(out()).contains("seed 3: 4 nodes, ").contains(" messages to all, ");
    assertThat(Main.run("lab", "bus", "--seeds", "3", "--nodes", "3")).isZero();
    assertThat(out())
        .contains("3 seeds from 1 kept every promise: ")
        .contains("  3 seeds, 9 nodes, ")
        .contains(" s of virtual time, ")
        .contains(" repairs, 0 violations");
    assertThat(Main.run("lab", "bus", "--seeds", "2", "--from", "8", "--nodes", "3", "--json"))
        .isZero();
    assertThat(out())
        .contains("{\"lab\":\"bus\",\"seed\":8,\"ok\":true,\"nodes\":3,")
        .contains("{\"lab\":\"bus\",\"seed\":9,\"ok\":true,\"nodes\":");
    assertThat(Main.run("lab", "bus", "--seed", "3", "--nodes", "2", "--trace")).isZero();
    assertThat(out()).contains("HELLO key=").contains("PROBE key=").contains("CASTC key=");
  }

  @Test
  void wrongUseEndsWithTwo() {
    assertThat(Main.run("lab", "nosuch")).isEqualTo(2);
    assertThat(Main.run("lab", "--seeds", "0")).isEqualTo(2);
    assertThat(Main.run("lab", "--seeds", "x")).isEqualTo(2);
    assertThat(Main.run("lab", "--seed", "1", "--seeds", "2")).isEqualTo(2);
    assertThat(Main.run("lab", "--seed", "1", "--from", "2")).isEqualTo(2);
    assertThat(Main.run("lab", "--seed", "1", "--trace", "--json")).isEqualTo(2);
    assertThat(Main.run("lab", "--nodes", "4")).isEqualTo(2);
    assertThat(Main.run("lab", "bus", "--nodes", "1")).isEqualTo(2);
    assertThat(Main.run("lab", "bus", "--nodes", "257")).isEqualTo(2);
    assertThat(Main.run("bench", "nosuch")).isEqualTo(2);
    assertThat(Main.run("nosuch")).isEqualTo(2);
    assertThat(out()).isEmpty();
    assertThat(err()).contains("--seeds is 0; it must be at least 1").contains("See ./busbar");
  }

  @Test
  void outputThatCannotBeWrittenIsAnError() {
    System.setOut(
        new PrintStream(
            new OutputStream() {
              @Override
              public void write(int b) throws IOException {
                throw new IOException("full");
              }
            },
            true,
            UTF_8));
    assertThat(Main.run("lab", "--seeds", "50", "--json")).isEqualTo(1);
    assertThat(err()).contains("cannot be written any more; stopped after 1 runs");
  }

  @Test
  void benchesAreListed() {
    assertThat(Main.run("bench", "list")).isZero();
    assertThat(Main.run("bench", "list", "--json")).isZero();
    for (String name :
        List.of("transport", "fabric", "latency", "bandwidth", "rate", "idle", "loss", "line")) {
      assertThat(out()).contains(name + " ").contains("{\"bench\":\"%s\",".formatted(name));
    }
  }

  @Test
  void benchHelpTeaches() {
    assertThat(Main.run("bench", "--help")).isZero();
    assertThat(out())
        .contains("--quick")
        .contains("--json")
        .contains("--out=FILE")
        .contains("./busbar bench latency --quick")
        .contains("80 %;");
    assertThat(out().lines()).allMatch(line -> line.length() <= 100);
  }

  @Test
  void benchTakesOneName() {
    assertThat(Main.run("bench", "latency", "rate")).isEqualTo(2);
    assertThat(Main.run("bench", "latency", "--fast")).isEqualTo(2);
    assertThat(out()).isEmpty();
  }

  @Test
  void stringsAreEscaped() {
    assertThat(Json.escape("a\"b\\c\nd\u0001")).isEqualTo("a\\\"b\\\\c\\nd\\u0001");
  }
}

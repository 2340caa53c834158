package io.busbar.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.lab.bed.ChildJvm;
import io.busbar.node.stat.StatFile;
import io.busbar.node.stat.StatOwner;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is told of the nodes on this host. */
@Timeout(60)
class StatTest {
  private final PrintStream realOut = System.out;
  private final PrintStream realErr = System.err;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @TempDir Path folder;

  private Process child;

  @BeforeEach
  void start() throws IOException {
    List<String> command =
        ChildJvm.command(
            List.of("-XX:TieredStopAtLevel=1"), StatOwnerMain.class, List.of(folder.toString()));
    child = new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
    assertThat(child.inputReader(UTF_8).readLine()).startsWith(folder + "/busbar-" + child.pid());
    System.setOut(new PrintStream(out, true, UTF_8));
    System.setErr(new PrintStream(err, true, UTF_8));
  }

  @AfterEach
  void end() throws InterruptedException {
    System.setOut(realOut);
    System.setErr(realErr);
    kill();
  }

  private void kill() throws InterruptedException {
    child.destroyForcibly();
    child.waitFor();
  }

  private int stat(String... arguments) {
    out.reset();
    err.reset();
    String[] words = new String[arguments.length + 3];
    words[0] = "stat";
    words[1] = "--directory";
    words[2] = folder.toString();
    System.arraycopy(arguments, 0, words, 3, arguments.length);
    return Main.run(words);
  }

  private String out() {
    return out.toString(UTF_8);
  }

  private String err() {
    return err.toString(UTF_8);
  }

  private String pid() {
    return Long.toString(child.pid());
  }

  @Test
  void nodesAreListed() {
    assertThat(stat()).isZero();
    assertThat(out().lines()).hasSize(3);
    assertThat(out())
        .contains("PID  NODE  NAME   UP SINCE")
        .containsPattern(pid() + "     3  child  20\\d\\d-.*      1        1            0")
        .contains("Why peers are blocked: ./busbar stat PID");
    try (StatFile _ = StatFile.create(folder, new StatOwner(4, "other", 1, 1))) {
      assertThat(stat()).isZero();
      assertThat(out()).contains("child").contains("other");
    }
  }

  @Test
  void nodeIsShownInFull() {
    assertThat(stat(pid())).isZero();
    assertThat(out())
        .contains("Node 3 'child' of process " + pid() + ", up since 20")
        .contains("incarnation 0000000000000033, cluster 0000000000000044, " + folder)
        .containsPattern("rounds +[0-9,]+")
        .containsPattern("9  open   shm .* 1.5 us .* shm:here")
        .containsPattern("blocked for [0-9.]+ m?s: NO_CREDIT, the peer granted no room for more")
        .containsPattern("10  gone ")
        .doesNotContain("PER S");
  }

  @Test
  void watchShowsRates() {
    assertThat(stat(pid(), "--watch=0.3", "--count=2")).isZero();
    assertThat(out()).contains("PER S").contains("OUT/S");
    String[] rounds = out().split("Node 3 'child'");
    assertThat(rounds).hasSize(3);
    assertThat(rounds[1]).containsPattern("rounds +[0-9,]+ +-\n");
    assertThat(rounds[2]).containsPattern("rounds +[0-9,]+ +[0-9]+\n");
    assertThat(stat("--watch=0.01", "--count=3")).isZero();
    assertThat(out().lines().filter(line -> line.contains("UP SINCE"))).hasSize(3);
  }

  @Test
  void programsGetAnObjectALine() {
    assertThat(stat("--json")).isZero();
    assertThat(out().lines()).hasSize(1);
    assertThat(out())
        .startsWith("{\"stat\":\"node\",\"at_ms\":")
        .contains("\"pid\":" + pid() + ",\"alive\":true,\"node\":3,\"name\":\"child\"")
        .contains("\"peers_open\":1,\"peers_blocked\":1,\"peers_hidden\":0")
        .doesNotContain("per_s")
        .doesNotContain("counters");
    assertThat(stat(pid(), "--json", "--watch=0.2", "--count=2")).isZero();
    List<String> lines = out().lines().toList();
    assertThat(lines).hasSize(2);
    assertThat(lines.get(0)).contains("\"messages_out_per_s\":null");
    assertThat(lines.get(1))
        .containsPattern("\"messages_out_per_s\":[0-9]+\\.[0-9]")
        .containsPattern("\"counters\":\\{\"rounds\":[0-9]+}")
        .containsPattern("\"counters_per_s\":\\{\"rounds\":[0-9.]+}")
        .contains("{\"node\":9,\"open\":true,\"fabric\":\"shm\",\"address\":\"shm:here\"")
        .contains("\"blocked\":\"NO_CREDIT\",\"blocked_ns\":");
  }

  @Test
  void deadAreShownWhenAskedFor() throws Exception {
    kill();
    assertThat(stat()).isZero();
    assertThat(out()).isEqualTo("No node runs on this host.\n");
    assertThat(stat(pid())).isEqualTo(1);
    assertThat(err()).contains("process " + pid() + " is dead; --dead shows what it left");
    assertThat(stat("999999999")).isEqualTo(1);
    assertThat(err()).contains("no node of process 999999999").contains("there is none at all");
    assertThat(stat("--dead")).isZero();
    assertThat(out()).contains("child").contains("(dead)");
    assertThat(stat(pid(), "--dead")).isZero();
    assertThat(out()).contains("dead, was up since").contains("looked at its clock last at");
    assertThat(stat("--dead", "--json")).isZero();
    assertThat(out()).contains("\"alive\":false");
  }

  @Test
  void whoIsNotThereIsSaidSo() {
    assertThat(stat("999999999")).isEqualTo(1);
    assertThat(err())
        .contains("busbar stat: no node of process 999999999 in " + folder)
        .contains("there are nodes of process " + pid());
    assertThat(out()).isEmpty();
  }

  @Test
  void damagedFileIsNamedBesideTheOthers() throws IOException {
    Path damaged = Files.write(folder.resolve("busbar-12-0.stat"), new byte[3]);
    assertThat(stat()).isZero();
    assertThat(out()).contains("child");
    assertThat(err()).contains(damaged + " is no file of counters, or was cut short");
    assertThat(stat("12")).isEqualTo(1);
    assertThat(err()).contains("busbar stat: " + damaged + " is no file of counters");
    assertThat(stat("--json")).isZero();
    assertThat(out()).contains("{\"stat\":\"unreadable\",\"pid\":12,\"path\":");
  }

  @Test
  void wrongUseEndsWithTwo() {
    assertThat(stat("x")).isEqualTo(2);
    assertThat(stat("-1")).isEqualTo(2);
    assertThat(stat("0")).isEqualTo(2);
    assertThat(stat("--watch=0")).isEqualTo(2);
    assertThat(stat("--watch", "4711")).isEqualTo(2);
    assertThat(err()).contains("A PID stands before --watch");
    assertThat(stat("--count=2")).isEqualTo(2);
    assertThat(err()).contains("--count belongs to --watch");
    assertThat(stat("--watch", "--count=0")).isEqualTo(2);
    assertThat(out()).isEmpty();
  }

  @Test
  void helpTeaches() {
    assertThat(stat("--help")).isZero();
    assertThat(out()).contains("NO_CREDIT").contains("Examples:").contains("Exit codes:");
  }

  @Test
  void timesAreReadable() {
    assertThat(StatText.duration(0)).isEqualTo("0 ns");
    assertThat(StatText.duration(1500)).isEqualTo("1.5 us");
    assertThat(StatText.duration(2_500_000)).isEqualTo("2.5 ms");
    assertThat(StatText.duration(3_200_000_000L)).isEqualTo("3.2 s");
    assertThat(StatText.duration(200_000_000_000L)).isEqualTo("3 min 20 s");
    assertThat(StatText.duration(7_500_000_000_000L)).isEqualTo("2 h 5 min");
    assertThat(StatText.duration(100_000_000_000_000L)).isEqualTo("1 d 3 h");
  }
}

package io.busbar.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code bench report}, on lines of an earlier run. */
class ReportCommandTest {
  private static final String FIGURE =
      "{\"bench\":\"rate\",\"case\":\"shm\",\"bytes\":64,\"metric\":\"rate\",\"unit\":\"/s\","
          + "\"better\":\"higher\",\"systems\":{\"busbar\":4321},\"aims\":[{\"at_least\":5000}],"
          + "\"n\":1,\"noise\":0}\n";

  private final PrintStream realOut = System.out;
  private final PrintStream realErr = System.err;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @TempDir private Path folder;

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

  private int report(String lines) throws IOException {
    Path file = Files.writeString(folder.resolve("r.jsonl"), lines);
    String to = folder.resolve("a/b").toString();
    return Main.run("bench", "report", "--from", file.toString(), "--out", to);
  }

  /** A missed aim is a result, and no failure. */
  @Test
  void linesOfAnEarlierRunBecomePageAndSummary() throws IOException {
    assertThat(report(FIGURE)).isZero();
    assertThat(folder.resolve("a/b/index.html")).content().contains("4,321 /s").contains("missed");
    assertThat(folder.resolve("a/b/summary.md")).content().contains("4,321 /s").contains("missed");
    assertThat(out.toString(UTF_8))
        .contains("aims: 0 met 1 missed 0 not measured")
        .contains("page: " + folder.resolve("a/b/index.html"));
  }

  @Test
  void anExperimentThatFailedFailsTheCommand() throws IOException {
    assertThat(report(FIGURE + "{\"failed\":\"loss\",\"why\":\"no root\"}\n")).isEqualTo(1);
    assertThat(folder.resolve("a/b/index.html")).content().contains("no root");
    assertThat(out.toString(UTF_8)).contains("failed: loss");
  }

  @Test
  void aBrokenLineFailsTheCommandAndIsNamed() throws IOException {
    assertThat(report(FIGURE + FIGURE.substring(0, 40))).isEqualTo(1);
    assertThat(err.toString(UTF_8)).contains("r.jsonl, line 2: the line ends where ");
  }

  @Test
  void wrongUseEndsWithTwo() {
    assertThat(Main.run("bench", "report", "--only", "latency,nosuch")).isEqualTo(2);
    assertThat(Main.run("bench", "report", "--from", "x", "--quick")).isEqualTo(2);
    assertThat(Main.run("bench", "report", "latency")).isEqualTo(2);
    assertThat(Main.run("bench", "--quick", "report")).isEqualTo(2);
    assertThat(Main.run("bench", "latency", "report")).isEqualTo(2);
    assertThat(out.toString(UTF_8)).isEmpty();
    assertThat(err.toString(UTF_8))
        .contains("there is no experiment 'nosuch'")
        .contains("--from measures nothing")
        .contains("follow the word report");
  }

  @Test
  void helpTeaches() {
    assertThat(Main.run("bench", "report", "--help")).isZero();
    assertThat(out.toString(UTF_8))
        .contains("--only=NAME")
        .contains("--from=FILE")
        .contains("default: bench-report")
        .contains("Exit codes: 0");
    assertThat(out.toString(UTF_8).lines()).allMatch(line -> line.length() <= 100);
  }
}

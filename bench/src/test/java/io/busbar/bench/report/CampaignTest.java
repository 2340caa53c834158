package io.busbar.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.bench.Bench;
import io.busbar.bench.Figure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run of many goes on, says how far it is, and leaves all behind that it learned. */
class CampaignTest {
  private static final long SECOND = 1_000_000_000L;

  private final List<String> shown = new ArrayList<>();
  private final List<String> said = new ArrayList<>();

  private final Campaign.Screen screen =
      new Campaign.Screen() {
        @Override
        public void status(String line) {
          shown.add(line);
        }

        @Override
        public void say(String line) {
          said.add(line);
        }
      };

  private static Figure figure(String bench) {
    return Figure.plain(bench, "shm", 64, "rate", "messages/s", "higher").with("busbar", 2.0);
  }

  @Test
  void oneThatFailsDoesNotStopTheOthers(@TempDir Path folder) {
    Path file = folder.resolve("r.jsonl");
    List<Bench> benches =
        List.of(
            new StandIn("first", report -> report.figure(figure("first"))),
            new StandIn(
                "second",
                report -> {
                  report.figure(figure("second"));
                  throw new IllegalStateException("no root", new AssertionError("cause"));
                }),
            new StandIn(
                "third",
                report -> {
                  report.progress("something");
                  report.missing("aeron", "why");
                  report.figure(figure("third"));
                }),
            new StandIn(
                "fourth",
                report -> {
                  throw new NoClassDefFoundError();
                }));
    try (RunLog log = RunLog.create(file, "./busbar bench report", false)) {
      new Campaign(benches, false, true, log, screen).run();
    }
    Recording recording = RecordingReader.read(file);
    assertThat(recording.experiments())
        .extracting(Recording.Experiment::name)
        .containsExactly("first", "second", "third", "fourth");
    assertThat(recording.experiments())
        .extracting(Recording.Experiment::failure)
        .containsExactly(
            "",
            "IllegalStateException: no root; because of AssertionError: cause",
            "",
            "NoClassDefFoundError");
    assertThat(recording.figures()).hasSize(3);
    assertThat(said)
        .containsExactly(
            "second failed: IllegalStateException: no root; because of AssertionError: cause",
            "third: aeron is missing: why",
            "fourth failed: NoClassDefFoundError");
    assertThat(shown).anyMatch(line -> line.matches(".*2/4, about .* left; third: something"));
    assertThat(HtmlPage.of(recording)).contains("IllegalStateException: no root");
    assertThat(MarkdownSummary.of(recording)).contains("- second: IllegalStateException: no root");
  }

  @Test
  void timeLeftIsLearnedFromWhatIsOver() {
    Pace pace = new Pace(List.of(Duration.ofSeconds(30), Duration.ofSeconds(100)));
    assertThat(pace.left(0)).isEqualTo(Duration.ofSeconds(130));
    assertThat(pace.left(10 * SECOND)).isEqualTo(Duration.ofMinutes(2));
    assertThat(pace.left(500 * SECOND)).isEqualTo(Duration.ofSeconds(103));
    pace.onDone(60 * SECOND);
    assertThat(pace.left(0)).isEqualTo(Duration.ofSeconds(200));
    assertThat(pace.line(0)).isEqualTo("[####----------------] 1/2, about 3 min left");
    assertThat(pace.line(140 * SECOND)).isEqualTo("[###############-----] 1/2, about 60 s left");
    pace.onDone(200 * SECOND);
    assertThat(pace.line(0)).isEqualTo("[####################] 2/2, about 0 s left");
  }
}

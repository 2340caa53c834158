package io.busbar.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.bench.Aim;
import io.busbar.bench.Bench;
import io.busbar.bench.Figure;
import io.busbar.bench.report.Recording.Experiment;
import io.busbar.bench.report.Recording.Remark;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is logged is what is read; what cannot be read is refused. */
class RecordingReaderTest {
  private static final String GOOD =
      "{\"bench\":\"x\",\"case\":\"shm\",\"bytes\":64,\"metric\":\"rate\",\"unit\":\"/s\","
          + "\"better\":\"higher\",\"systems\":{\"busbar\":1},\"n\":1,\"noise\":0}";

  @Test
  void aLoggedRunComesBack(@TempDir Path folder) {
    Path file = folder.resolve("r.jsonl");
    Bench bench = new StandIn("latency", report -> {});
    Figure figure =
        Figure.plain("latency", "shm", 64, "rtt_p50", "us", "lower")
            .with("busbar", 3.25)
            .with("floor", 2.5)
            .with("aeron", null)
            .also("loss", 0.01)
            .of(500, 0.125)
            .aims(Aim.atMost(1.5, "floor"), Aim.atLeast(2));
    figure.ratios().put("floor", new double[] {1.3, 1.25, 1.5});
    try (RunLog log = RunLog.create(file, "./busbar bench report --quick", true)) {
      log.begin(bench);
      log.figure(figure);
      log.note("aeron", "\"quoted\"\nsecond line");
      log.missing("aeron", "why");
      log.failed(bench, "because");
    }
    Recording recording = RecordingReader.read(file);
    assertThat(recording.run().orElseThrow().command()).isEqualTo("./busbar bench report --quick");
    assertThat(recording.run().orElseThrow().quick()).isTrue();
    assertThat(recording.run().orElseThrow().machine())
        .containsOnlyKeys("cpu", "cores", "memory", "kernel", "jdk");
    Experiment experiment = recording.experiments().getFirst();
    assertThat(experiment.description()).isEqualTo("what latency measures");
    assertThat(experiment.command()).isEqualTo("./busbar bench latency --quick");
    assertThat(experiment.notes()).containsExactly(new Remark("aeron", "\"quoted\"\nsecond line"));
    assertThat(experiment.missing()).containsExactly(new Remark("aeron", "why"));
    assertThat(experiment.failure()).isEqualTo("because");
    assertThat(recording.failed()).containsExactly(experiment);
    assertThat(experiment.figures().getFirst().json()).isEqualTo(figure.json());
  }

  /** Lines of {@code --json}, which have neither a run nor experiments. */
  @Test
  void bareFiguresAreEnough() {
    Recording recording =
        RecordingReader.read("r", List.of("{\"missing\":\"aeron\",\"why\":\"w\"}", "", GOOD));
    assertThat(recording.run()).isEmpty();
    assertThat(recording.experiments()).extracting(Experiment::name).containsExactly("", "x");
    assertThat(HtmlPage.of(recording)).contains("do not say when and where");
  }

  @Test
  void keysWithWordsAreKept() {
    String line = GOOD.replace("\"n\":1", "\"stage\":\"wire\",\"loss\":null,\"n\":1");
    assertThat(
            RecordingReader.read("r", List.of(line)).figures().findFirst().orElseThrow().labels())
        .isEqualTo(Map.of("stage", "wire"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      quoteCharacter = '`',
      value = {
        "\"n\":1 # \"n\":1,,       # expected a key at column 113",
        "\"n\":1 # \"n\":\"1\"     # \"n\" is not a number",
        "{\"busbar\":1} # [1]      # \"systems\" is not an object",
        "{\"busbar\":1} # {\"busbar\":\"1\"} # \"busbar\" is not a number",
        "\"higher\" # \"best\"     # \"better\" is neither lower nor higher",
        "64 # 6.4                  # \"bytes\" is no size",
        "64 # -1                   # \"bytes\" is no size",
        "\"shm\" # 1               # \"case\" is not text",
        "\"n\":1 # \"ratio\":{\"x\":[1,2]},\"n\":1 # the ratio to \"x\" is not a median and two",
        "\"n\":1 # \"aims\":[{\"of\":\"x\"}],\"n\":1 # \"at_least\" is not a number",
        "\"bench\" # \"bank\"      # this is no line of a benchmark",
      })
  void aBrokenLineIsNamed(String part, String instead, String why) {
    String line = GOOD.replace(part.strip(), instead.strip());
    assertThatThrownBy(() -> RecordingReader.read("some/file.jsonl", List.of(GOOD, "", line)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("some/file.jsonl, line 3: ")
        .hasMessageContaining(why.strip())
        .hasMessageContaining("; delete the line, or measure again with ./busbar bench");
  }

  @Test
  void aFileThatIsNotThereIsNamed(@TempDir Path folder) {
    assertThatThrownBy(() -> RecordingReader.read(folder.resolve("nosuch.jsonl")))
        .hasMessageContaining("cannot read ")
        .hasMessageContaining("nosuch.jsonl: NoSuchFileException");
  }
}

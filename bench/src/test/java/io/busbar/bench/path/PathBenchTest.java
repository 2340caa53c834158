package io.busbar.bench.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.busbar.bench.Figure;
import io.busbar.bench.Listening;
import io.busbar.bench.contest.Scene;
import io.busbar.lab.bed.TestBed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Real messages between two hosts of the test bed, and what the kernel tells of them. */
@Tag("long")
class PathBenchTest {
  /** A receiver falls asleep meanwhile even where others compute. */
  private static final long LONG_NS = 40_000_000;

  private final Listening report = new Listening();

  private List<String> stages(PathBench.Trial trial) {
    report.figures.clear();
    try (TestBed bed = TestBed.pair()) {
      new PathBench()
          .measure(report, trial.isRing() ? Scene.shm(bed) : Scene.udp(bed), trial, 2, 1);
    }
    List<Figure> stages = report.figures.subList(0, report.figures.size() - 1);
    Figure whole = report.figures.getLast();
    assertThat(stages).allMatch(figure -> figure.metric().equals("stage_us"));
    assertThat(whole.metric()).isEqualTo("one_way_us");
    double sum = stages.stream().mapToDouble(figure -> value(figure, trial.system())).sum();
    assertThat(whole.extra().get("sum")).isCloseTo(sum, within(1e-6));
    assertThat(whole.extra().get("unexplained")).as("others compute here").isLessThan(1);
    assertThat(stages).allMatch(figure -> value(figure, trial.system()) >= 0);
    return stages.stream().map(figure -> figure.labels().getOrDefault("stage", "")).toList();
  }

  private static double value(Figure figure, String system) {
    return Objects.requireNonNull(figure.systems().get(system));
  }

  @Test
  void everyStageOfBusbarOverUdpIsSeen() {
    assertThat(stages(new PathBench.Trial("busbar", "udp", "udp", false, 100, 0)))
        .startsWith("messages, node and transport", "node")
        .contains("socket, UDP, IP", "receiver looks, copy", "interface")
        .endsWith("transport, node and messages", "program");
  }

  @Test
  void everyStageOfNioIsSeenAlsoWhenItSleeps() {
    assertThat(stages(new PathBench.Trial("udp-nio", "udp-nio", "udp", true, 20, LONG_NS)))
        .startsWith("library, system call", "socket, UDP, IP")
        .contains("wake-up", "receiver looks, copy")
        .endsWith("system call returns", "library", "program");
  }

  @Test
  void sharedMemoryIsARing() {
    assertThat(stages(new PathBench.Trial("busbar", "shm", "shm", false, 100, 0)))
        .containsExactly(
            "messages, node and transport", "ring", "transport, node and messages", "program");
  }

  @Test
  void aTraceLeavesNothingBehind() throws IOException {
    KernelTrace trace = KernelTrace.open();
    String name = trace.toString();
    assertThat(Path.of(name)).isDirectory();
    trace.start(1);
    assertThat(trace.stop()).isNotNull();
    trace.close();
    assertThat(Path.of(name)).doesNotExist();
  }
}

package io.busbar.bench.guarantees;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.bench.Bench;
import io.busbar.bench.Figure;
import io.busbar.bench.Listening;
import io.busbar.bench.contest.Contest;
import io.busbar.bench.contest.Effort;
import io.busbar.bench.contest.Scene;
import io.busbar.lab.bed.TestBed;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The steps stand on each other, and each of them is measured. */
@Tag("long")
class LadderTest {
  private static final Effort LEAST = new Effort(0, 2_000_000, 3);

  @Test
  void everyStepIsMeasuredAndAddsSomething() {
    Listening report = new Listening();
    Bench bench = new GuaranteesBench();
    try (TestBed bed = TestBed.pair();
        Contest contest =
            Ladder.udp().enter(report, Contest.trial(bench, report, Scene.udp(bed)))) {
      Ladder.measure(report, contest, 64, LEAST);
    }
    assertThat(report.figures)
        .extracting(Figure::metric)
        .containsExactly("rtt_p50", "rtt_added", "rate", "bandwidth", "message_added");
    Figure trips = report.figures.getFirst();
    assertThat(trips.systems().keySet())
        .containsExactly("busbar", "lane", "stream", "datagrams", "nic", "floor");
    assertThat(trips.systems().values()).allMatch(us -> us != null && us > 1);
    assertThat(trips.ratios()).containsOnlyKeys("lane", "stream", "datagrams", "nic", "floor");
    Figure added = report.figures.get(1);
    assertThat(added.systems().keySet())
        .containsExactly("nic", "datagrams", "stream", "lane", "messages");
    assertThat(added.systems().values()).doesNotContainNull();
    assertThat(report.notes).hasSizeGreaterThanOrEqualTo(6);
  }

  /** What carries no guarantee of its own cannot be a step. */
  @Test
  void stepsHaveNamesOfTheirOwnAndSayWhatTheyAdd() {
    for (Ladder ladder : List.of(Ladder.udp(), Ladder.shm())) {
      assertThat(ladder.steps()).extracting(Step::system).doesNotHaveDuplicates().contains("floor");
      assertThat(ladder.steps()).extracting(Step::adds).doesNotHaveDuplicates().doesNotContain("");
      assertThat(ladder.steps().getLast().system()).isEqualTo("messages");
    }
  }
}

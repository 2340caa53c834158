package io.busbar.bench.contest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.bench.Figure;
import io.busbar.bench.Rounds;
import io.busbar.lab.bed.TestBed;
import io.busbar.lab.bed.TestBedException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Systems in processes of their own, on hosts of a test bed. */
@Tag("long")
class ContestTest {
  private static final Effort LEAST = new Effort(0, 5_000_000, 2);

  private final KeptReport report = new KeptReport();

  @Test
  void systemsCrossTheCableInTurns() {
    try (TestBed bed = TestBed.pair();
        Contest contest = new Contest(KeptReport.NAMED, report, Scene.udp(bed), new Quiet(0))) {
      contest.enter("busbar", "messages-udp").enter("floor", "bare-udp");
      contest.enter("aeron", "aeron-udp").connect();
      Figure trips = contest.roundTrips(contest.systems(), 64, LEAST).roundTrip();
      assertThat(report.missing).isEmpty();
      assertThat(trips.systems()).containsOnlyKeys("busbar", "floor", "aeron");
      assertThat(trips.systems().values()).allMatch(us -> us != null && us > 1);
      assertThat(trips.ratios()).containsOnlyKeys("floor", "aeron");
      Outcome floods = contest.floods(contest.systems(), 64 << 10, LEAST);
      assertThat(floods.bandwidth().systems().get("busbar")).isGreaterThan(1);
      assertThat(floods.allocation().systems()).containsOnlyKeys("busbar");
      assertThat(contest.counter("busbar", "frames")).isPositive();
      assertThat(report.missing).isEmpty();
    }
  }

  @Test
  void mixesAreMeasured() {
    try (TestBed bed = TestBed.pair();
        Contest contest = new Contest(KeptReport.NAMED, report, Scene.udp(bed), new Quiet(0))) {
      contest.enter("busbar", "messages-udp").enter("tcp-nio", "tcp-nio-pair").connect();
      Outcome mixed = contest.mixes(new Mix(64, 100, 100_000, 64 << 10, 200_000), 3);
      assertThat(mixed.roundTrip().systems().values()).allMatch(us -> us != null && us > 1);
      assertThat(mixed.tail().systems()).containsOnlyKeys("busbar", "tcp-nio");
    }
  }

  /** A stop of one answer is the lateness of all that were due meanwhile. */
  @Tag("long")
  @Test
  void questionsCountFromWhenTheyWereDue() {
    try (TestBed bed = TestBed.pair();
        Contest contest = new Contest(KeptReport.NAMED, report, Scene.udp(bed), new Quiet(0))) {
      contest.enter("busbar", "messages-udp").enter("aeron", "aeron-udp");
      contest.enter("tcp-nio", "tcp-nio").connect();
      Outcome easy = contest.paced(64, 20, 1_000_000, 1);
      assertThat(easy.roundTrip().systems().values()).allMatch(us -> us != null && us > 1);
      Outcome hurried = contest.paced(64, 2_000, 1, 1); // all are due at once
      assertThat(hurried.tail().systems()).containsOnlyKeys("busbar", "aeron", "tcp-nio");
      assertThat(hurried.roundTrip().systems().values())
          .as("half of them waited for a thousand round trips")
          .allMatch(us -> us != null && us > 1_000);
      assertThat(report.missing).isEmpty();
    }
  }

  @Test
  void peerThatCannotRunIsToldAndLeftOut() {
    try (TestBed bed = TestBed.pair();
        Contest contest = new Contest(KeptReport.NAMED, report, Scene.shm(bed), new Quiet(0))) {
      contest.enter("busbar", "messages-shm").enter("aeron", "aeron-nosuch").connect();
      Figure figure = contest.roundTrips(contest.systems(), 64, LEAST).roundTrip();
      assertThat(figure.systems()).containsEntry("aeron", null);
      assertThat(figure.systems().get("busbar")).isPositive();
      assertThat(report.missing)
          .singleElement()
          .satisfies(line -> assertThat(line).startsWith("aeron: ").contains("aeron-nosuch"));
    }
  }

  @Test
  void floorThatCannotRunEndsTheContest() {
    try (TestBed bed = TestBed.pair();
        Contest contest = new Contest(KeptReport.NAMED, report, Scene.shm(bed), new Quiet(0))) {
      contest.enter("floor", "nosuch");
      assertThatThrownBy(contest::connect)
          .isInstanceOf(TestBedException.class)
          .hasMessageContaining("no contender nosuch");
    }
  }

  @Test
  @Tag("long")
  void restAndWakeAreMeasured() {
    try (TestBed bed = TestBed.pair();
        Contest contest = new Contest(KeptReport.NAMED, report, Scene.shm(bed), new Quiet(0))) {
      contest.enter("busbar", "messages-shm-sleep").enter("floor", "nothing").connect();
      Rounds rests = contest.rests(contest.systems(), 100, 1);
      assertThat(rests.size()).isEqualTo(1);
      assertThat(rests.median("busbar")).isBetween(0.0, 200.0);
      assertThat(contest.wakes(List.of("busbar"), 64, 1).median("busbar")).isGreaterThan(0.1);
    }
  }

  @Test
  void kernelSaysHowManyCouldRun() {
    assertThat(Quiet.runnable("6.56 4.03 2.58 7/136 21437\n")).isEqualTo(7);
  }
}

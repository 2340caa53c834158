package io.busbar.bench.messages;

import io.busbar.bench.Bench;
import io.busbar.bench.contest.Contest;
import io.busbar.bench.contest.Effort;
import io.busbar.bench.contest.Hosts;
import io.busbar.bench.contest.Outcome;
import io.busbar.bench.contest.Scene;
import io.busbar.lab.bed.TestBed;

/**
 * What losses cost (A29): the tail of round trips, and the bytes a second of a stream, on a cable
 * that loses frames at random in both directions.
 */
public final class LossBench implements Bench {
  private static final double[] LOSSES = {0.0001, 0.001, 0.01, 0.05};
  private static final int SHORT_BYTES = 64;
  private static final int LONG_BYTES = 64 << 10;
  private static final long EVERY_NS = 100_000;

  /** At 5 % a tenth of them meets a loss, and TCP waits 200 ms for each. */
  private static final int COUNT = 2_000;

  private static final int COUNT_QUICK = 300;

  /** The experiment. */
  public LossBench() {}

  @Override
  public String name() {
    return "loss";
  }

  @Override
  public String description() {
    return "tails of round trips and bytes a second over udp at 0.01 to 5 % loss beside Aeron, TCP";
  }

  @Override
  public void run(Report report, boolean quick) {
    try (Hosts hosts = Hosts.open(report)) {
      hosts.ifTwo(bed -> run(report, bed, quick));
    }
  }

  private void run(Report report, TestBed bed, boolean quick) {
    // Who waits for a timer of 200 ms does so several times in a run.
    Effort effort = new Effort(0, quick ? 200_000_000 : 2_000_000_000, quick ? 3 : 9);
    int count = quick ? COUNT_QUICK : COUNT;
    try (Contest contest =
        new Contest(this, report, Scene.udp(bed), quick)
            .enter("busbar", "messages-udp")
            .enter("aeron", "aeron-udp")
            .enter("tcp-nio", "tcp-nio")
            .connect()) {
      Lineup.noteAeronOverUdp(report);
      Outcome _ = contest.roundTrips(contest.systems(), SHORT_BYTES, Effort.of(quick));
      both(report, contest, Effort.of(quick), count, 0);
      for (double loss : LOSSES) {
        bed.loss(bed.host(0), loss);
        both(report, contest, effort, count, loss);
      }
    }
  }

  /** Questions are asked when they are due: what was late makes those behind it late. */
  private static void both(Report report, Contest contest, Effort effort, int count, double loss) {
    Outcome trips = contest.paced(SHORT_BYTES, count, EVERY_NS, effort.rounds());
    report.figure(trips.roundTrip().also("loss", loss));
    report.figure(trips.tail().also("loss", loss));
    report.figure(trips.farTail().also("loss", loss));
    Outcome floods = contest.floods(contest.systems(), LONG_BYTES, effort);
    report.figure(floods.bandwidth().also("loss", loss));
  }
}

package io.busbar.bench.messages;

import io.busbar.bench.Aim;
import io.busbar.bench.Bench;
import io.busbar.bench.Figure;
import io.busbar.bench.contest.Contest;
import io.busbar.bench.contest.Effort;
import io.busbar.bench.contest.Hosts;
import io.busbar.bench.contest.Outcome;
import io.busbar.bench.contest.Scene;
import io.busbar.bench.crowd.Crowd;
import io.busbar.lab.bed.TestBed;
import java.util.List;

/** Short messages one way: how many a second, what each allocates, how many share a frame. */
public final class RateBench implements Bench {
  /** What may be allocated from begin to close. */
  private static final int PIECES_BYTES = 64;

  private static final int AIMED_BYTES = 64;
  private static final int SENDERS = 4;
  private static final long RUN_NS = 300_000_000;

  /** The experiment. */
  public RateBench() {}

  @Override
  public String name() {
    return "rate";
  }

  @Override
  public String description() {
    return "short messages a second over shm and udp beside bare calls, Aeron and java.nio";
  }

  @Override
  public void run(Report report, boolean quick) {
    Effort effort = Effort.of(quick);
    int[] sizes = quick ? new int[] {AIMED_BYTES} : new int[] {16, AIMED_BYTES, 256, 1024};
    try (Hosts hosts = Hosts.open(report)) {
      try (Contest contest = Lineup.shm(this, report, hosts, quick).connect()) {
        for (int bytes : sizes) {
          floods(report, contest, bytes, effort, Aim.atLeast(0.25, "floor"));
        }
      }
      Scene pieces = hosts.shm().named("shm-pieces");
      try (Contest contest =
          new Contest(this, report, pieces, quick)
              .enter("busbar", "messages-shm-pieces")
              .connect()) {
        Outcome outcome = contest.floods(contest.systems(), AIMED_BYTES, effort);
        report.figure(outcome.rate());
        report.figure(outcome.allocation().aims(Aim.atMost(PIECES_BYTES)));
      }
      hosts.ifTwo(
          bed -> {
            udp(report, bed, sizes, effort, quick);
            many(report, quick);
          });
    }
  }

  /** Several hosts send to one. */
  private void many(Report report, boolean quick) {
    report.progress("udp-n%d, messages of %d bytes to one".formatted(SENDERS, AIMED_BYTES));
    try (TestBed bed = TestBed.create(SENDERS + 1);
        Crowd crowd = Lineup.crowd(bed, SENDERS)) {
      Crowd.Result result = crowd.floods(AIMED_BYTES, RUN_NS, quick ? 7 : 25);
      report.figure(result.rate().figure(many("rate", "messages/s")));
      report.figure(result.fairness().figure(many("fairness", "")));
    }
  }

  private Figure many(String metric, String unit) {
    return Figure.plain(name(), "udp-n" + SENDERS, AIMED_BYTES, metric, unit, "higher")
        .also("peers", SENDERS);
  }

  private void udp(Report report, TestBed bed, int[] sizes, Effort effort, boolean quick) {
    try (Contest contest = Lineup.udp(this, report, bed, quick).connect()) {
      for (int bytes : sizes) {
        long records = contest.counter("busbar", "records");
        long frames = contest.counter("busbar", "frames");
        long n = floods(report, contest, bytes, effort, Aim.atLeast(10, "tcp-nio"));
        double each =
            (double) (contest.counter("busbar", "records") - records)
                / (contest.counter("busbar", "frames") - frames);
        report.figure(
            Figure.plain(name(), contest.scene(), bytes, "records_per_frame", "", "higher")
                .with("busbar", each)
                .of(n, 0));
      }
    }
  }

  private static long floods(Report report, Contest contest, int bytes, Effort effort, Aim aim) {
    Outcome outcome = contest.floods(contest.systems(), bytes, effort);
    report.figure(outcome.rate().aims(bytes == AIMED_BYTES ? List.of(aim) : List.of()));
    report.figure(outcome.allocation().aims(Aim.zero()));
    return outcome.n();
  }
}

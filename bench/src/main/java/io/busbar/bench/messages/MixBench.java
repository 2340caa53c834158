package io.busbar.bench.messages;

import io.busbar.bench.Bench;
import io.busbar.bench.Figure;
import io.busbar.bench.contest.Contest;
import io.busbar.bench.contest.Hosts;
import io.busbar.bench.contest.Mix;
import io.busbar.bench.contest.Outcome;
import io.busbar.bench.contest.Scene;
import io.busbar.bench.crowd.Crowd;
import io.busbar.lab.bed.TestBed;

/**
 * Short questions beside long messages, from one program to another, on a line of 1 Gbit/s: how
 * long the answers take when the long messages fill nothing, half or most of the line. TCP has a
 * connection for each kind.
 */
public final class MixBench implements Bench {
  private static final long LINE_BITS = 1_000_000_000;
  private static final int BYTES = 64;
  private static final int BULK_BYTES = 64 << 10;

  /** Ethernet's own bytes, and those of IP, UDP and a header, of each frame's 1538. */
  private static final double PAYLOAD_SHARE = 1440.0 / 1538;

  private static final long EVERY_NS = 500_000;
  private static final double[] LOADS = {0.5, 0.8};

  /** So seldom that there is one in all. */
  private static final long NEVER_NS = 1_000_000_000L;

  private static final int SENDERS = 4;
  private static final long RUN_NS = 500_000_000;

  /** The experiment. */
  public MixBench() {}

  @Override
  public String name() {
    return "mix";
  }

  @Override
  public String description() {
    return "short messages beside long ones on a line of 1 Gbit/s, and many to one: tails, and TCP's";
  }

  @Override
  public void run(Report report, boolean quick) {
    try (Hosts hosts = Hosts.open(report)) {
      hosts.ifTwo(
          bed -> {
            run(report, bed, quick);
            manyToOne(report, quick);
          });
    }
  }

  /** Others send long messages to the one who is asked, over its one cable. */
  private void manyToOne(Report report, boolean quick) {
    report.progress("line-1g-n%d, questions while %d others send".formatted(SENDERS, SENDERS - 1));
    try (TestBed bed = TestBed.create(SENDERS + 1);
        Crowd crowd = Lineup.crowd(bed, SENDERS)) {
      bed.rate(bed.host(SENDERS), LINE_BITS);
      Crowd.Result result = crowd.asks(BYTES, BULK_BYTES, RUN_NS, quick ? 7 : 25);
      report.figure(result.p50Us().figure(many(BYTES, "rtt_p50", "us", "lower")));
      report.figure(result.p99Us().figure(many(BYTES, "rtt_p99", "us", "lower")));
      report.figure(
          result
              .rate()
              .scaled(BULK_BYTES / 1e6)
              .figure(many(BULK_BYTES, "bandwidth", "MB/s", "higher")));
      report.figure(result.fairness().figure(many(BULK_BYTES, "fairness", "", "higher")));
    }
  }

  private Figure many(int bytes, String metric, String unit, String better) {
    return Figure.plain(name(), "line-1g-n" + SENDERS, bytes, metric, unit, better)
        .also("peers", SENDERS);
  }

  private void run(Report report, TestBed bed, boolean quick) {
    report.note("tcp-nio", "two connections, one for the short messages and one for the long ones");
    int count = quick ? 1_000 : 5_000;
    int rounds = quick ? 5 : 15;
    try (Contest contest =
        new Contest(this, report, Scene.udp(bed).named("line-1g"), quick)
            .enter("busbar", "messages-udp")
            .enter("tcp-nio", "tcp-nio-pair")
            .connect()) {
      bed.rate(bed.host(0), LINE_BITS);
      show(report, contest.mixes(new Mix(BYTES, count, EVERY_NS, BULK_BYTES, NEVER_NS), rounds), 0);
      for (double load : LOADS) {
        long everyNs = (long) (BULK_BYTES * 8e9 / (LINE_BITS * PAYLOAD_SHARE * load));
        show(
            report,
            contest.mixes(new Mix(BYTES, count, EVERY_NS, BULK_BYTES, everyNs), rounds),
            load);
      }
    }
  }

  private static void show(Report report, Outcome outcome, double load) {
    report.figure(outcome.roundTrip().also("load", load));
    report.figure(outcome.tail().also("load", load));
    report.figure(outcome.farTail().also("load", load));
  }
}

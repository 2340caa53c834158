package io.busbar.bench.messages;

import io.busbar.bench.Bench;
import io.busbar.bench.contest.Contest;
import io.busbar.bench.contest.Hosts;
import io.busbar.bench.contest.Mix;
import io.busbar.bench.contest.Outcome;
import io.busbar.bench.contest.Scene;
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

  /** The experiment. */
  public MixBench() {}

  @Override
  public String name() {
    return "mix";
  }

  @Override
  public String description() {
    return "short messages beside long ones at 50 and 80 % of a line of 1 Gbit/s: tails, and TCP's";
  }

  @Override
  public void run(Report report, boolean quick) {
    try (Hosts hosts = Hosts.open(report)) {
      hosts.ifTwo(bed -> run(report, bed, quick));
    }
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

package io.busbar.bench.messages;

import io.busbar.bench.Aim;
import io.busbar.bench.Bench;
import io.busbar.bench.contest.Contest;
import io.busbar.bench.contest.Effort;
import io.busbar.bench.contest.Hosts;
import io.busbar.bench.contest.Outcome;
import io.busbar.bench.contest.Scene;
import java.util.List;

/** Round trips of Fast Messages: a message, its handler, and the answer that the handler sends. */
public final class LatencyBench implements Bench {
  /** The experiment. */
  public LatencyBench() {}

  @Override
  public String name() {
    return "latency";
  }

  @Override
  public String description() {
    return "round trips of messages over shm, udp, packet and xdp beside bare calls, Aeron and java.nio";
  }

  @Override
  public void run(Report report, boolean quick) {
    Effort effort = Effort.of(quick);
    int[] sizes =
        quick
            ? new int[] {64, 64 << 10}
            : new int[] {16, 64, 256, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 1 << 20};
    try (Hosts hosts = Hosts.open(report)) {
      try (Contest contest = Lineup.shm(this, report, hosts, quick).connect()) {
        List<Aim> aims = List.of(Aim.atMost(1.5, "floor"), Aim.atMost(0.6, "aeron"));
        roundTrips(report, contest, sizes, effort, aims);
      }
      hosts.ifTwo(
          bed -> {
            try (Contest contest = Lineup.udp(this, report, bed, quick).connect()) {
              roundTrips(report, contest, sizes, effort, List.of(Aim.atMost(1.25, "floor")));
            }
            for (String fabric : List.of("packet", "xdp")) {
              int[] some = quick ? new int[] {64} : sizes;
              try (Contest contest = Lineup.ether(this, report, bed, fabric, quick)) {
                roundTrips(report, contest, some, effort, Lineup.etherAims(fabric));
              }
            }
          });
      for (Scene scene : hosts.scenes()) {
        sleeping(report, scene, "messages-%s-sleep".formatted(scene.name()), quick);
      }
    }
  }

  private static void roundTrips(
      Report report, Contest contest, int[] sizes, Effort effort, List<Aim> aims) {
    Effort each = effort;
    for (int bytes : sizes) {
      Outcome outcome = contest.roundTrips(contest.systems(), bytes, each);
      each = effort.warm();
      report.figure(outcome.roundTrip().aims(bytes == 64 ? aims : List.of()));
      report.figure(outcome.tail());
      report.figure(outcome.allocation().aims(bytes == 64 ? List.of(Aim.zero()) : List.of()));
    }
  }

  /** The same between programs that wait in {@code await} instead of extracting in a loop. */
  private void sleeping(Report report, Scene scene, String busbar, boolean quick) {
    Effort effort = Effort.of(quick);
    try (Contest contest = new Contest(this, report, scene.named(scene.name() + "-sleep"), quick)) {
      contest.enter("busbar", busbar).enter("tcp-nio", "tcp-nio-sleep").connect();
      roundTrips(report, contest, new int[] {64}, effort, List.of());
    }
  }
}

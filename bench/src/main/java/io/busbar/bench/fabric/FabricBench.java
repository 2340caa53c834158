package io.busbar.bench.fabric;

import io.busbar.bench.Aim;
import io.busbar.bench.Bench;
import io.busbar.bench.Figure;
import io.busbar.bench.contest.Contest;
import io.busbar.bench.contest.Effort;
import io.busbar.bench.contest.Hosts;
import io.busbar.bench.contest.Outcome;
import io.busbar.bench.contest.Scene;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Each fabric beside the bare calls below it and java.nio: round trips, messages and bytes a
 * second, between two processes. Hosts are namespaces joined by a cable; shared memory is measured
 * between two processes of one of them.
 */
public final class FabricBench implements Bench {
  private static final int SHM_FRAME_MAX = 128 << 10;
  private static final int[] QUICK = {64, 64 << 10};

  /** The experiment. */
  public FabricBench() {}

  @Override
  public String name() {
    return "fabric";
  }

  @Override
  public String description() {
    return "round trips, messages and bytes a second of shm, udp, packet and xdp beside bare calls and java.nio";
  }

  @Override
  public void run(Report report, boolean quick) {
    Effort effort = Effort.ofLittle(quick);
    try (Hosts hosts = Hosts.open(report)) {
      try (Contest contest = contest(report, hosts.shm(), "nic-shm", "bare-ring", quick)) {
        shm(report, contest, effort, quick);
      }
      hosts.ifTwo(
          bed -> {
            try (Contest contest = contest(report, Scene.udp(bed), "nic-udp", "bare-udp", quick)) {
              udp(report, contest, effort, quick);
            }
            for (String fabric : List.of("packet", "xdp")) {
              ether(report, Scene.udp(bed).named(fabric), quick);
            }
          });
      passing(report, hosts.shm(), quick);
    }
  }

  private Contest contest(Report report, Scene scene, String busbar, String floor, boolean quick) {
    return new Contest(this, report, scene, quick)
        .enter("busbar", busbar)
        .enter("floor", floor)
        .enter("tcp-nio", "tcp-nio")
        .enter("udp-nio", "udp-nio")
        .connect();
  }

  private void shm(Report report, Contest contest, Effort effort, boolean quick) {
    int[] sizes = quick ? QUICK : new int[] {64, 1024, 64 << 10, SHM_FRAME_MAX};
    Effort each = effort;
    for (int bytes : sizes) {
      roundTrips(report, contest, bytes, each, List.of(Aim.atMost(1.3, "floor")));
      each = effort.warm();
    }
    for (int bytes : sizes) {
      List<Aim> aims = bytes == 64 ? List.of(Aim.atLeast(0.40, "floor")) : List.of();
      floods(report, contest, bytes, each, aims);
    }
  }

  private void ether(Report report, Scene scene, boolean quick) {
    String fabric = scene.name();
    try (Contest contest =
        new Contest(this, report, scene, quick)
            .enter("busbar", "nic-" + fabric)
            .enter("floor", "bare-" + fabric)
            .enter("tcp-nio", "tcp-nio")
            .connect()) {
      Effort effort = Effort.ofLittle(quick);
      int[] sizes = quick ? QUICK : new int[] {64, 1024, Scene.ETHERNET_FRAME, 64 << 10};
      Effort each = effort;
      for (int bytes : sizes) {
        roundTrips(report, contest, bytes, each, List.of(Aim.atMost(1.15, "floor")));
        each = effort.warm();
      }
      for (int bytes : sizes) {
        floods(report, contest, bytes, each, List.of());
      }
    }
  }

  private void udp(Report report, Contest contest, Effort effort, boolean quick) {
    int[] sizes = quick ? QUICK : new int[] {64, 1024, Scene.ETHERNET_FRAME, 64 << 10};
    Effort each = effort;
    for (int bytes : sizes) {
      roundTrips(report, contest, bytes, each, List.of(Aim.atMost(1.15, "floor")));
      each = effort.warm();
    }
    for (int bytes : sizes) {
      List<Aim> aims =
          bytes == 64 << 10
              ? List.of(Aim.atLeast(0.90, "floor"), Aim.atLeast(1.3, "tcp-nio"))
              : List.of();
      floods(report, contest, bytes, each, aims);
    }
  }

  private static void roundTrips(
      Report report, Contest contest, int bytes, Effort effort, List<Aim> aims) {
    Outcome outcome = contest.roundTrips(contest.systems(), bytes, effort);
    report.figure(outcome.roundTrip().aims(aims));
    report.figure(outcome.tail());
  }

  private static void floods(
      Report report, Contest contest, int bytes, Effort effort, List<Aim> aims) {
    Outcome outcome = contest.floods(contest.systems(), bytes, effort);
    report.figure(outcome.rate().aims(aims));
    report.figure(outcome.bandwidth().aims(aims));
    report.figure(outcome.allocation().aims(Aim.zero()));
  }

  /** A buffer that changes its owner takes as long for a megabyte as for less. */
  private void passing(Report report, Scene scene, boolean quick) {
    Effort effort = Effort.ofLittle(quick);
    for (String contender : List.of("passed", "passed-read")) {
      try (Contest contest = new Contest(this, report, scene.named("shm-" + contender), quick)) {
        contest
            .enter("busbar", contender)
            .enter("busbar-64k", contender)
            .enter("floor", "bare-ring")
            .connect();
        Map<String, Integer> sizes = new LinkedHashMap<>();
        sizes.put("busbar", 1 << 20);
        sizes.put("busbar-64k", 64 << 10);
        sizes.put("floor", 64);
        Figure figure = contest.roundTrips(sizes, effort).roundTrip();
        report.figure(
            contender.equals("passed") ? figure.aims(Aim.atMost(1.1, "busbar-64k")) : figure);
      }
    }
  }
}

package io.busbar.bench.mpi;

import io.busbar.bench.Aim;
import io.busbar.bench.Bench;
import io.busbar.bench.contest.Contest;
import io.busbar.bench.contest.Effort;
import io.busbar.bench.contest.Hosts;
import io.busbar.bench.contest.Outcome;
import io.busbar.bench.contest.PeerSetups;
import io.busbar.bench.contest.Scene;
import io.busbar.lab.bed.TestBed;
import java.util.ArrayList;
import java.util.List;

/** Two ranks, beside the messages that they stand on and beside other MPIs. */
final class TwoRanks {
  private static final int ROUND_BYTES = 64;
  private static final int SHORT_BYTES = 16;
  private static final int PAGE_BYTES = 4 << 10;
  private static final int LONG_BYTES = 1 << 20;

  private static final List<String> PEERS = List.of("open-mpi", "mpich", "mpj-express");

  private final Bench bench;
  private final Bench.Report report;
  private final boolean quick;

  TwoRanks(Bench bench, Bench.Report report, boolean quick) {
    this.bench = bench;
    this.report = report;
    this.quick = quick;
  }

  void run(Hosts hosts) {
    PeerSetups.all(false).entrySet().stream()
        .filter(setup -> PEERS.contains(setup.getKey()))
        .forEach(setup -> report.note(setup.getKey(), setup.getValue()));
    report.note("busbar", "arrays of bytes; a program that uses package mpi gets a Status besides");
    try (Contest contest = lineup(hosts.shm(), "shm").connect()) {
      List<Aim> trips = List.of(Aim.atMost(1.5, "open-mpi"), Aim.atMost(0.2, "mpj-express"));
      measure(contest, trips, Aim.atLeast(1, "open-mpi"));
    }
    hosts.ifTwo(this::between);
  }

  private void between(TestBed bed) {
    for (String fabric : List.of("udp", "packet", "xdp")) {
      Scene scene = Scene.udp(bed).named(fabric);
      double factor = fabric.equals("xdp") ? 0.5 : 1;
      try (Contest contest = lineup(scene, fabric).connect()) {
        List<Aim> trips = List.of(Aim.atMost(factor, "open-mpi"));
        measure(contest, trips, Aim.atLeast(1, "open-mpi"));
      }
    }
  }

  private Contest lineup(Scene scene, String fabric) {
    Contest contest =
        new Contest(bench, report, scene, quick)
            .enter("busbar", "rank-" + fabric)
            .enter("messages", "messages-" + fabric)
            .enter("open-mpi", "mpi-open");
    boolean all = !quick || fabric.equals("shm");
    return all ? contest.enter("mpich", "mpi-mpich").enter("mpj-express", "mpj-express") : contest;
  }

  private void measure(Contest contest, List<Aim> trips, Aim bandwidth) {
    Effort effort = Effort.of(quick);
    int[] sizes = quick ? new int[] {ROUND_BYTES} : new int[] {0, ROUND_BYTES, 1 << 10, 32 << 10};
    for (int bytes : sizes) {
      Outcome outcome = contest.roundTrips(contest.systems(), bytes, effort);
      boolean isAimedAt = bytes == ROUND_BYTES;
      report.figure(outcome.roundTrip().aims(isAimedAt ? trips : List.of()));
      report.figure(outcome.allocation().aims(isAimedAt ? List.of(Aim.zero()) : List.of()));
      effort = effort.warm();
    }
    for (int bytes : new int[] {SHORT_BYTES, PAGE_BYTES, 64 << 10, LONG_BYTES}) {
      List<Aim> aims = new ArrayList<>();
      aims.add(Aim.atLeast(bytes < PAGE_BYTES ? 0.7 : 0.9, "messages"));
      if (bytes == LONG_BYTES) {
        aims.add(bandwidth);
      }
      Outcome outcome = contest.floods(contest.systems(), bytes, effort);
      report.figure(outcome.bandwidth().aims(aims));
    }
  }
}

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

/** MPI between two ranks, beside the messages that it stands on and beside other MPIs. */
public final class MpiBench implements Bench {
  private static final int ROUND_BYTES = 64;
  private static final int SHORT_BYTES = 16;
  private static final int PAGE_BYTES = 4 << 10;
  private static final int LONG_BYTES = 1 << 20;

  /** The experiment. */
  public MpiBench() {}

  @Override
  public String name() {
    return "mpi";
  }

  @Override
  public String description() {
    return "MPI over shm, udp, packet and xdp beside messages, Open MPI, MPICH and MPJ Express";
  }

  @Override
  public void run(Report report, boolean quick) {
    try (Hosts hosts = Hosts.open(report)) {
      PeerSetups.all(false).forEach(report::note);
      report.note(
          "busbar", "arrays of bytes; a program that uses package mpi gets a Status besides");
      try (Contest contest = lineup(report, hosts.shm(), "shm", quick).connect()) {
        List<Aim> trips = List.of(Aim.atMost(1.5, "open-mpi"), Aim.atMost(0.2, "mpj-express"));
        measure(report, contest, quick, trips, Aim.atLeast(1, "open-mpi"));
      }
      hosts.ifTwo(bed -> between(report, bed, quick));
    }
  }

  private void between(Report report, TestBed bed, boolean quick) {
    for (String fabric : List.of("udp", "packet", "xdp")) {
      Scene scene = Scene.udp(bed).named(fabric);
      double factor = fabric.equals("xdp") ? 0.5 : 1;
      try (Contest contest = lineup(report, scene, fabric, quick).connect()) {
        List<Aim> trips = List.of(Aim.atMost(factor, "open-mpi"));
        measure(report, contest, quick, trips, Aim.atLeast(1, "open-mpi"));
      }
    }
  }

  private Contest lineup(Report report, Scene scene, String fabric, boolean quick) {
    Contest contest =
        new Contest(this, report, scene, quick)
            .enter("busbar", "rank-" + fabric)
            .enter("messages", "messages-" + fabric)
            .enter("open-mpi", "mpi-open");
    boolean all = !quick || fabric.equals("shm");
    return all ? contest.enter("mpich", "mpi-mpich").enter("mpj-express", "mpj-express") : contest;
  }

  private static void measure(
      Report report, Contest contest, boolean quick, List<Aim> trips, Aim bandwidth) {
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

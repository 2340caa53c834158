package io.busbar.bench.mpi;

import io.busbar.bench.Aim;
import io.busbar.bench.Bench;
import io.busbar.bench.Figure;
import io.busbar.bench.contest.Effort;
import io.busbar.bench.contest.Quiet;
import io.busbar.lab.bed.TestBed;
import java.util.List;
import java.util.function.Consumer;

/**
 * Ranks on hosts of their own, all on the cores of one machine: collective calls of eight, and the
 * paper's series (E21) through MPI, beside Open MPI over TCP. Who waits gives its core away, in
 * both. Each system has hosts of its own, so that nothing that one attaches to an interface slows
 * down another.
 */
final class ManyRanks {
  private static final int RANKS = 8;
  private static final int[] SIZES = {8, 64, 1 << 10, 8 << 10, 64 << 10, 1 << 20};
  private static final int SERIES_BYTES = 1 << 10;
  private static final int CASTS = 8192;
  private static final int[] READERS = {1, 2, 4, 8};
  private static final int[] STREAMS = {1, 16, 256, 4096, 65_536};
  private static final int STREAMS_WARM = 4096;
  private static final int WARM_UPS = 4;
  private static final long RUN_NS = 100_000_000;

  private final Bench bench;
  private final Bench.Report report;
  private final boolean quick;

  ManyRanks(Bench bench, Bench.Report report, boolean quick) {
    this.bench = bench;
    this.report = report;
    this.quick = quick;
  }

  void run() {
    String obstacle = TestBed.obstacle();
    if (!obstacle.isEmpty()) {
      report.missing("hosts", "ranks on many of them were left out: " + obstacle);
      return;
    }
    report.note("busbar", "many ranks: package mpi, joined as by busbar run --hosts");
    report.note("open-mpi", "many ranks: in C; btl tcp,self; yields when idle");
    for (String fabric : quick ? List.of("udp", "packet") : List.of("udp", "packet", "xdp")) {
      measure(fabric, RANKS, turns -> collectives(turns, fabric));
      if (fabric.equals("udp") || !quick) {
        measure(
            fabric,
            RANKS + 1,
            turns -> {
              streams(turns, fabric);
              casts(turns, fabric);
            });
      }
    }
  }

  /** Worlds of so many ranks: what all of a world do may take other ways than what some do. */
  private void measure(String fabric, int ranks, Consumer<Turns> what) {
    try (TestBed ours = TestBed.create(ranks);
        TestBed theirs = TestBed.create(ranks);
        Turns turns = new Turns(report, fabric, true, Quiet.of(quick))) {
      turns.enter(BusbarCrew.between(ours.hosts(), fabric));
      turns.enterPeer(Turns.OPEN_MPI, () -> new OpenMpiCrew(report, theirs));
      what.accept(turns);
    }
  }

  private void collectives(Turns turns, String fabric) {
    String scene = "%s-%d-ranks".formatted(fabric, RANKS);
    Effort effort = // eight compilers share the cores
        quick
            ? new Effort(3_000_000_000L, 40_000_000_000L, RUN_NS, 5)
            : new Effort(6_000_000_000L, 60_000_000_000L, RUN_NS, 15);
    for (Task.What what : List.of(Task.What.ALLREDUCE, Task.What.BCAST)) {
      for (int bytes : SIZES) {
        Turns.Measured measured = turns.calls(new Task(what, RANKS, bytes, 1), effort);
        report.figure(
            figure(measured, scene, bytes, what.word, "us", RANKS - 1)
                .aims(Aim.atMost(1, Turns.OPEN_MPI)));
        if (what == Task.What.ALLREDUCE && bytes == SIZES[0]) {
          report.figure(
              Figure.plain(bench.name(), scene, bytes, "bytes_per_allreduce", "B", "lower")
                  .with(Turns.BUSBAR, measured.allocatedBytes())
                  .of(measured.n(), 0));
        }
        effort = bytes == SIZES[0] ? effort.warm() : effort;
      }
    }
  }

  /** Growing numbers of messages from one host to another. */
  private void streams(Turns turns, String fabric) {
    Task task = new Task(Task.What.STREAM, 2, SERIES_BYTES, STREAMS_WARM);
    turns.wholes(task, 2 * WARM_UPS, 1);
    for (int count : STREAMS) {
      Turns.Measured measured = turns.wholes(task.times(count), 1, quick ? 5 : 11);
      report.figure(figure(measured, fabric, SERIES_BYTES, "time_" + count, "s", 1));
    }
  }

  /** Many broadcasts from one to a growing number of others. */
  private void casts(Turns turns, String fabric) {
    for (int readers : READERS) {
      Task task = new Task(Task.What.CAST, readers + 1, SERIES_BYTES, CASTS);
      Turns.Measured measured = turns.wholes(task, quick ? 1 : WARM_UPS, quick ? 3 : 9);
      String scene = "%s-n%d".formatted(fabric, readers);
      report.figure(figure(measured, scene, SERIES_BYTES, "time_" + CASTS, "s", readers));
    }
  }

  private Figure figure(
      Turns.Measured measured, String scene, int bytes, String metric, String unit, int peers) {
    Figure plain = Figure.plain(bench.name(), scene, bytes, metric, unit, "lower");
    return measured.rounds().figure(plain.of(measured.n(), 0).also("peers", peers));
  }
}

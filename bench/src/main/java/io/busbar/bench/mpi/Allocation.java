package io.busbar.bench.mpi;

import io.busbar.bench.Aim;
import io.busbar.bench.Bench;
import io.busbar.bench.Figure;
import io.busbar.bench.contest.Effort;
import io.busbar.bench.contest.Quiet;
import io.busbar.lab.bed.Host;
import java.util.List;

/** What a program that uses package {@code mpi} allocates for a message, in steady state. */
final class Allocation {
  private static final int BYTES = 64;
  private static final long RUN_NS = 60_000_000;

  private Allocation() {}

  static void run(Bench bench, Bench.Report report, boolean quick, Host host) {
    try (Turns turns = new Turns(report, "shm", false, Quiet.of(quick))) {
      turns.enter(BusbarCrew.on(host, 2));
      Effort effort =
          quick
              ? new Effort(1_500_000_000L, 4_000_000_000L, RUN_NS, 5)
              : new Effort(3_000_000_000L, 12_000_000_000L, RUN_NS, 11);
      for (Task.What what : List.of(Task.What.TRIPS, Task.What.MPJ_TRIPS)) {
        Turns.Measured measured = turns.calls(new Task(what, 2, BYTES, 1), effort);
        String calls = what == Task.What.TRIPS ? "shm-send-recv" : "shm-Send-Recv";
        report.figure(
            Figure.plain(bench.name(), calls, BYTES, "bytes_per_message", "B", "lower")
                .with(Turns.BUSBAR, measured.allocatedBytes())
                .of(measured.n(), 0)
                .aims(Aim.zero()));
      }
    }
  }
}

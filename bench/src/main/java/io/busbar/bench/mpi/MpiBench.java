package io.busbar.bench.mpi;

import io.busbar.bench.Bench;
import io.busbar.bench.contest.Hosts;

/** MPI between two ranks and many, beside what it stands on and beside other MPIs. */
public final class MpiBench implements Bench {
  /** The experiment. */
  public MpiBench() {}

  @Override
  public String name() {
    return "mpi";
  }

  @Override
  public String description() {
    return "MPI: two ranks, and eight that reduce and broadcast, beside messages and other MPIs";
  }

  @Override
  public void run(Report report, boolean quick) {
    try (Hosts hosts = Hosts.open(report)) {
      new TwoRanks(this, report, quick).run(hosts);
      Allocation.run(this, report, quick, hosts.shm().asking());
    }
    new ManyRanks(this, report, quick).run();
  }
}

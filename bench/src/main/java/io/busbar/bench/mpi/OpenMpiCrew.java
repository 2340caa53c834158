package io.busbar.bench.mpi;

import io.busbar.bench.Bench;
import io.busbar.bench.contest.MpiCrowd;
import io.busbar.lab.bed.TestBed;
import java.time.Duration;

/** Open MPI's ranks, one on each host of a bed, over TCP; rank 0 speaks for all. */
final class OpenMpiCrew implements Crew {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final TestBed bed;
  private final MpiCrowd crowd;

  OpenMpiCrew(Bench.Report report, TestBed bed) {
    this.bed = bed;
    crowd = new MpiCrowd(report, bed, bed.hosts().size(), OpenMpiCrew.class, "mpi-ranks.c");
    try {
      String _ = await("opened");
    } catch (RuntimeException e) {
      crowd.close();
      throw e;
    }
  }

  private String await(String prefix) {
    return crowd.process().awaitLine(line -> line.startsWith(prefix), PATIENCE);
  }

  @Override
  public Did run(Task task) {
    crowd.process().sendLine(task.line());
    return Did.parse(await("took "));
  }

  @Override
  public void settle() {
    // It was compiled before.
  }

  @Override
  public long sentBytes() {
    return bed.host(0).sentBytes();
  }

  @Override
  public void close() {
    crowd.close();
  }
}

package io.busbar.bench.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.bench.Listening;
import io.busbar.lab.bed.TestBed;
import io.busbar.lab.bed.ThisHost;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every exercise is done by the ranks of every system. */
@Timeout(180)
@Tag("long")
class CrewsTest {
  private static final List<Task> TOGETHER =
      List.of(
          new Task(Task.What.ALLREDUCE, 3, 8, 50),
          new Task(Task.What.ALLREDUCE, 3, 1 << 20, 5),
          new Task(Task.What.BCAST, 3, 8, 50),
          new Task(Task.What.BCAST, 2, 1 << 20, 5),
          new Task(Task.What.CAST, 3, 1024, 300),
          new Task(Task.What.STREAM, 2, 1024, 300));

  @Test
  void busbarsRanksOfOneHost() {
    try (Crew crew = BusbarCrew.on(new ThisHost(), 3)) {
      TOGETHER.forEach(task -> took(crew, task));
      took(crew, new Task(Task.What.TRIPS, 2, 64, 100));
      took(crew, new Task(Task.What.MPJ_TRIPS, 2, 64, 100));
    }
  }

  @Test
  void ranksOfThreeHosts() {
    Listening report = new Listening();
    try (TestBed ours = TestBed.create(3);
        TestBed theirs = TestBed.create(3);
        Crew busbar = BusbarCrew.between(ours.hosts(), "udp");
        Crew mpi = new OpenMpiCrew(report, theirs)) {
      for (Crew crew : List.of(busbar, mpi)) {
        for (Task task : TOGETHER) {
          long before = crew.sentBytes();
          took(crew, task);
          assertThat(crew.sentBytes() - before)
              .as("bytes on the cable of %s", task.line())
              .isGreaterThan((long) task.bytes() * task.count() / task.ranks());
        }
      }
      assertThat(report.missing).isEmpty();
    }
  }

  private static void took(Crew crew, Task task) {
    assertThat(crew.run(task).tookNs()).as(task.line()).isBetween(10_000L, 60_000_000_000L);
    crew.settle();
  }
}

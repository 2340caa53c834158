package io.busbar.bench.broadcast;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.bench.contest.KeptReport;
import io.busbar.lab.bed.TestBed;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A broadcast is measured as what it is. */
@Timeout(180)
class HallTest {
  private static final int COUNT = 2000;

  @Test
  void busbarsFramesAreCounted() {
    try (TestBed bed = TestBed.create(3);
        Hall hall = new Hall(new KeptReport(), bed, 2)) {
      hall.enter(Hall.BUSBAR, "packet,udp", false);
      assertThat(hall.join(Hall.BUSBAR)).isBetween(0.0, 20.0);
      Hall.Run _ = hall.run(Hall.BUSBAR, COUNT, 1024);
      Hall.Run run = hall.run(Hall.BUSBAR, COUNT, 1024);
      assertThat(run.seconds()).isBetween(0.001, 20.0);
      assertThat(run.sentFrames()).isBetween(0.7, 1.2);
      assertThat(run.counts().get("data-out")).isBetween(0.7 * COUNT, 1.05 * COUNT);
      assertThat(run.counts().get("status-in")).isBetween(1.0, 0.2 * COUNT);
      assertThat(hall.detect()).isBetween(0.3, 10.0);
    }
  }

  @Tag("long")
  @Test
  void peersRunToo() {
    KeptReport notes = new KeptReport();
    try (TestBed bed = TestBed.create(3);
        Hall hall = new Hall(notes, bed, 2)) {
      hall.enter(Hall.JGROUPS, "udp", false);
      double _ = hall.join(Hall.JGROUPS);
      hall.enterMpi();
      assertThat(notes.missing).isEmpty();
      for (String system : List.of(Hall.JGROUPS, Hall.MPI)) {
        assertThat(hall.run(system, COUNT, 1024).seconds()).as(system).isBetween(0.001, 60.0);
      }
    }
  }
}

package io.busbar.lab.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.lab.FaultPlan;
import java.util.EnumSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Ranks, drawn from seeds: every promise of MPI is kept in every run. */
class MpiSeedsTest {
  @Test
  void fortySeeds() {
    MpiSweep sweep = MpiSweep.of(1, 40);
    assertThat(sweep.manners).isEqualTo(EnumSet.allOf(Manner.class));
    assertThat(sweep.faults).isEqualTo(EnumSet.allOf(FaultPlan.Kind.class));
    assertThat(sweep.messages).as("messages").isGreaterThan(1_000);
    assertThat(sweep.collectives).as("collectives").isGreaterThan(100);
    assertThat(sweep.casts).as("messages to all").isGreaterThan(100);
    assertThat(sweep.calledBack).as("sends that were called back").isGreaterThan(20);
    assertThat(sweep.deaths).as("ranks that were killed").isPositive();
    assertThat(sweep.errors).as("operations that failed").isPositive();
    assertThat(sweep.repairs).as("repairs").isPositive();
  }

  /** A receiver that has all of a long message leaves before its sender has said the end. */
  @Test
  void aReceiverLeavesBeforeTheEndIsSaid() {
    MpiSweep sweep = MpiSweep.of(5549, 5549);
    assertThat(sweep.errors).isZero();
    assertThat(sweep.messages).isPositive();
  }

  /** What nobody has received when an epoch ends costs its sender no credit in the next one. */
  @Test
  void creditComesBackWhenAnEpochEnds() {
    MpiSweep sweep = MpiSweep.of(100_007, 100_007);
    assertThat(sweep.calledBack).isPositive();
  }

  @Test
  @Tag("long")
  void threeThousandMore() {
    for (long first = 100_001; first <= 103_000; first += 500) {
      MpiSweep _ = MpiSweep.of(first, first + 499);
    }
  }
}

package io.busbar.lab.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.lab.FaultPlan;
import java.util.EnumSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The whole stack, drawn from seeds: every promise of the messages is kept in every run. */
class StackSeedsTest {
  @Test
  void aHundredAndFiftySeeds() {
    StackSweep sweep = StackSweep.of(1, 150);
    assertThat(sweep.plots).isEqualTo(EnumSet.allOf(Plot.class));
    assertThat(sweep.faults).isEqualTo(EnumSet.allOf(FaultPlan.Kind.class));
    assertThat(sweep.stalls).as("lanes that took nothing more").isPositive();
    assertThat(sweep.caretakerWorks).as("work while programs compute").isPositive();
    assertThat(sweep.repairs).as("repairs").isPositive();
    assertThat(sweep.losses).as("nodes that are gone").isPositive();
    assertThat(sweep.refusals).as("sends refused by name").isPositive();
    assertThat(sweep.brokenOff).as("messages broken off").isPositive();
    assertThat(sweep.timedOut).as("sends that were given up").isPositive();
  }

  @Test
  @Tag("long")
  void tenThousandMore() {
    for (long first = 100_001; first <= 110_000; first += 500) {
      StackSweep _ = StackSweep.of(first, first + 499);
    }
  }
}

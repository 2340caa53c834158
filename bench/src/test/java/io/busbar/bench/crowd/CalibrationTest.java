package io.busbar.bench.crowd;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How many messages a run has. */
class CalibrationTest {
  private static final long RUN_NS = 300_000_000;
  private int runs;

  /** A system that needs a microsecond for a message, once some runs have warmed it up. */
  private double cold(int count, int coldRuns, double coldNs) {
    return ++runs <= coldRuns ? coldNs : count * 1000.0;
  }

  @Test
  void itIsTheTimeOfARun() {
    assertThat(Calibration.count(count -> count * 1000.0, RUN_NS)).isEqualTo(300_000);
  }

  /** Else it would be measured with so few that their time is that of a wake-up. */
  @Test
  void coldRunsAreNotBelieved() {
    int count = Calibration.count(n -> cold(n, 6, 2e9), RUN_NS);
    assertThat(count).isEqualTo(300_000);
  }

  @Test
  void whatIsSlowForEverHasFewer() {
    assertThat(Calibration.count(count -> count * 1e8, RUN_NS)).isEqualTo(3);
    assertThat(Calibration.count(count -> 1e12, RUN_NS)).isEqualTo(1);
  }

  @Test
  void whatTakesNoTimeEnds() {
    assertThat(Calibration.count(count -> 1, RUN_NS)).isEqualTo(1 << 24);
  }
}

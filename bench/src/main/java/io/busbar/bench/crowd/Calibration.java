package io.busbar.bench.crowd;

import java.util.function.IntToDoubleFunction;

/**
 * How many messages take about one run's time. What is cold takes long, however few they are: so a
 * run that is long enough is believed when several in a row were.
 */
final class Calibration {
  private static final int FIRST_COUNT = 64;
  private static final int COUNT_MAX = 1 << 24;
  private static final int TRIES = 8;

  private Calibration() {}

  /**
   * How many.
   *
   * @param run does so many, and returns how long that took, in nanoseconds
   */
  static int count(IntToDoubleFunction run, long runNs) {
    int count = FIRST_COUNT;
    double leastNs = Double.POSITIVE_INFINITY;
    int tries = 0;
    while (tries < TRIES) {
      leastNs = Math.min(leastNs, run.applyAsDouble(count));
      tries++;
      if (leastNs < runNs / 2.0 && count < COUNT_MAX) {
        count *= 2;
        leastNs = Double.POSITIVE_INFINITY;
        tries = 0;
      }
    }
    return (int) Math.clamp(count * (runNs / leastNs), 1, COUNT_MAX);
  }
}

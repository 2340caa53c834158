package io.busbar.bus;

/** How long an answer takes, as measured, smoothed. */
final class RoundTime {
  private static final long FIRST_NS = 1_000_000;
  private static final long MIN_NS = 50_000;
  private static final long MAX_NS = 200_000_000;

  private long ns = FIRST_NS;
  private boolean measured;

  long ns() {
    return ns;
  }

  void sample(long sampleNs) {
    long bounded = Math.clamp(sampleNs, MIN_NS, MAX_NS);
    ns = measured ? ns + (bounded - ns) / 8 : bounded;
    measured = true;
  }
}

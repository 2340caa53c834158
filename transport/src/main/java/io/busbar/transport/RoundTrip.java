package io.busbar.transport;

/** The round trip of a path, smoothed, and its variation: what the timers follow. */
final class RoundTrip {
  private boolean measured;
  private long smoothNs;
  private long variationNs;

  RoundTrip(long initialNs) {
    smoothNs = initialNs;
    variationNs = initialNs >>> 1;
  }

  /** Takes a measurement, free of what the peer said that it held its answer back. */
  void onSample(long sampleNs) {
    long sample = Math.max(sampleNs, 1);
    if (!measured) {
      measured = true;
      smoothNs = sample;
      variationNs = sample >>> 1;
      return;
    }
    variationNs += (Math.abs(sample - smoothNs) - variationNs) >> 2;
    smoothNs += (sample - smoothNs) >> 3;
    smoothNs = Math.max(smoothNs, 1);
  }

  boolean isMeasured() {
    return measured;
  }

  long smoothNs() {
    return smoothNs;
  }

  /** How long an answer may take before it is missed, without back-off and announced delays. */
  long timeoutNs() {
    return smoothNs + Math.max(variationNs << 2, smoothNs >>> 2);
  }
}

package io.busbar.transport;

/**
 * The round trip of a path, smoothed, and its variation: what timers and pace follow. An answer
 * that took much longer than a timer waits tells of a peer that stood still, not of the path; if it
 * counted, the path would be paced by the pause for seconds afterwards.
 */
final class RoundTrip {
  /** So many in a row are the path, after all. */
  private static final int STRAYS_MAX = 8;

  private final long longestNs;
  private int strays;
  private boolean measured;
  private long smoothNs;
  private long variationNs;

  /**
   * Not measured yet.
   *
   * @param initialNs what is assumed
   * @param longestNs a longer one is taken for a pause
   */
  RoundTrip(long initialNs, long longestNs) {
    this.longestNs = longestNs;
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
    strays = sample > longestNs ? strays + 1 : 0;
    if (strays > 0 && strays < STRAYS_MAX) {
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

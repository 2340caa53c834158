package io.busbar.transport;

/**
 * How long a gap may stand before a repair is asked for. Frames that fill a gap by themselves show
 * how late the path delivers; gaps that only a repair fills let the allowance shrink again.
 */
final class ReorderAllowance {
  private final long minNs;
  private final long maxNs;
  private long allowanceNs;

  ReorderAllowance(long minNs, long maxNs) {
    this.minNs = minNs;
    this.maxNs = maxNs;
    allowanceNs = minNs;
  }

  long ns() {
    return allowanceNs;
  }

  /** A frame came out of order, this long after the gap was seen, without having been repaired. */
  void onReordered(long lateNs) {
    long wanted = Math.min(lateNs + (lateNs >>> 2), maxNs);
    allowanceNs = Math.max(allowanceNs, wanted);
  }

  /** A gap was a loss. */
  void onLoss() {
    allowanceNs = Math.max(minNs, allowanceNs - (allowanceNs >>> 5));
  }
}

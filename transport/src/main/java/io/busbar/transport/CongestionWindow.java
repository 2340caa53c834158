package io.busbar.transport;

/**
 * How many bytes may be on their way to a peer. It follows delay: once a round trip, the least
 * delay of that round is compared with a target, because the least shows a standing queue, and not
 * the jitter of a busy machine. Loss alone does not shrink it until more than a tenth is lost: on a
 * LAN, lost frames are mostly receive buffers that overflowed, and a queue that overflows shows in
 * the delay first.
 */
final class CongestionWindow {
  private static final int FRAMES_INITIAL = 10;
  private static final double FRAMES_MIN = 1.0 / 32;

  /** Delay alone does not shrink the window below this: it fills a slow link of a few frames. */
  private static final double QUEUED_FRAMES = 4;

  private static final long LEAST_LIFE_NS = 10_000_000_000L;
  private static final double DECREASE = 0.8;
  private static final double DECREASE_MOST = 0.5;
  private static final double LOSS_TOLERATED = 0.1;
  private static final double LOSS_DECREASE = 0.7;

  private final int frameBytes;
  private final long bytesMax;
  private final long queueTargetNs;
  private double window;
  private boolean starting = true;
  private long leastNs = Long.MAX_VALUE;
  private long leastAtNs;
  private long roundLeastNs = Long.MAX_VALUE;
  private long roundAcked;
  private long roundLost;
  private double lossShare;

  CongestionWindow(int frameBytes, long bytesMax, long queueTargetNs) {
    this.frameBytes = frameBytes;
    this.bytesMax = bytesMax;
    this.queueTargetNs = queueTargetNs;
    window = (double) FRAMES_INITIAL * frameBytes;
  }

  /** Bytes that may be on their way; less than a frame means a frame every few round trips. */
  double bytes() {
    return window;
  }

  /**
   * A round trip was measured, by a frame of so many bytes. Only long frames count: on a slow link
   * a short one is much faster, and would make every long one look queued.
   */
  void onSample(long nowNs, long sampleNs, int bytes) {
    if (bytes < frameBytes >>> 1) {
      return;
    }
    roundLeastNs = Math.min(roundLeastNs, sampleNs);
    if (sampleNs <= leastNs || nowNs - leastAtNs > LEAST_LIFE_NS) {
      leastNs = sampleNs;
      leastAtNs = nowNs;
    }
  }

  /** Bytes arrived; {@code limited} when the window, and nothing else, held the sender back. */
  void onAcked(int bytes, boolean limited) {
    roundAcked += bytes;
    if (!limited) {
      return;
    }
    window += starting ? bytes : (double) frameBytes * bytes / Math.max(window, frameBytes);
    clamp();
  }

  /** Bytes were found lost. */
  void onLost(int bytes) {
    roundLost += bytes;
  }

  /** All that was on its way when the round began has been answered for. */
  void onRound() {
    if (roundLeastNs != Long.MAX_VALUE) {
      long targetNs = leastNs + Math.max(queueTargetNs, leastNs >>> 1);
      if (roundLeastNs > targetNs) {
        double over = (double) (roundLeastNs - targetNs) / roundLeastNs;
        double shrunk = window * Math.max(1 - DECREASE * over, DECREASE_MOST);
        window = Math.min(window, Math.max(shrunk, QUEUED_FRAMES * frameBytes));
        starting = false;
      }
    }
    long total = roundAcked + roundLost;
    if (total > 0) {
      lossShare += ((double) roundLost / total - lossShare) / 8;
    }
    if (lossShare > LOSS_TOLERATED) {
      window *= LOSS_DECREASE;
      lossShare = LOSS_TOLERATED / 2;
      starting = false;
    } else if (roundLost > 0) {
      starting = false;
    }
    clamp();
    roundLeastNs = Long.MAX_VALUE;
    roundAcked = 0;
    roundLost = 0;
  }

  /** Nothing was heard for several timeouts: the path may have changed altogether. */
  void onSilence() {
    window = Math.min(window, frameBytes);
    starting = false;
  }

  private void clamp() {
    window = Math.clamp(window, FRAMES_MIN * frameBytes, (double) bytesMax);
  }
}

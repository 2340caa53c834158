package io.busbar.transport;

/**
 * How many bytes may be on their way to a peer. It follows delay: once a round trip, the least
 * delay of that round is compared with a target, because the least shows a standing queue, and not
 * the jitter of a busy machine. Loss alone does not shrink it until more than a tenth is lost: on a
 * LAN, lost frames are mostly receive buffers that overflowed, and a queue that overflows shows in
 * the delay first.
 *
 * <p>The target stands on the delay of the empty path, which a sender that always fills it never
 * sees. So it <em>drains</em> now and then: for a few rounds only a frame or two are on their way,
 * and what is measured then is the path's own delay. Senders that share a queue come to do it
 * together, because heavy loss calls for it, too.
 */
final class CongestionWindow {
  private static final int FRAMES_INITIAL = 10;
  private static final double FRAMES_MIN = 1.0 / 32;

  /** Delay without loss does not shrink the window below this: it fills a slow link. */
  private static final double FRAMES_QUEUED = 3;

  private static final double FRAMES_DRAINING = 1;
  private static final int ROUNDS_DRAINING = 4;
  private static final int ROUNDS_BETWEEN_DRAINS = 32;

  /**
   * The first drain comes soon, the later ones seldom: together less than a hundredth of the time.
   */
  private static final long DRAIN_FIRST_NS = 20_000_000;

  private static final long DRAIN_EVERY_NS = 1_000_000_000L;
  private static final long LEAST_LIFE_NS = 10_000_000_000L;

  /** While the queue is all but empty, the window grows by this share a round. */
  private static final double HURRY = 1.0 / 8;

  private static final double DECREASE = 0.8;
  private static final double DECREASE_MOST = 0.5;
  private static final double LOSS_SEEN = 0.005;
  private static final double LOSS_TOLERATED = 0.1;
  private static final double LOSS_DECREASE = 0.7;

  private final int frameBytes;
  private final long bytesMax;
  private final long queueTargetNs;
  private double window;
  private boolean starting = true;
  private boolean hurries;
  private long leastNs = Long.MAX_VALUE;
  private long leastAtNs;
  private long leastSeenNs;
  private long roundLeastNs = Long.MAX_VALUE;
  private long roundAcked;
  private long roundLost;
  private double lossShare;
  private int draining;
  private long drainedNs = Long.MAX_VALUE;
  private long drainEveryNs = DRAIN_FIRST_NS;
  private int roundsSinceDrain;

  CongestionWindow(int frameBytes, long bytesMax, long queueTargetNs) {
    this.frameBytes = frameBytes;
    this.bytesMax = bytesMax;
    this.queueTargetNs = queueTargetNs;
    window = (double) FRAMES_INITIAL * frameBytes;
  }

  /** Bytes that may be on their way; less than a frame means a frame every few round trips. */
  double bytes() {
    return draining > 0 ? Math.min(window, FRAMES_DRAINING * frameBytes) : window;
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
    if (sampleNs <= leastNs) {
      leastNs = sampleNs;
      leastAtNs = nowNs;
      leastSeenNs = nowNs;
    } else if (sampleNs - leastNs <= leastNs >>> 2) {
      leastSeenNs = nowNs;
    }
  }

  /** Bytes arrived; {@code limited} when the window, and nothing else, held the sender back. */
  void onAcked(int bytes, boolean limited) {
    roundAcked += bytes;
    if (limited && draining == 0) {
      double step = hurries ? Math.max(frameBytes, window * HURRY) : frameBytes;
      window += starting ? bytes : step * bytes / Math.max(window, frameBytes);
      clamp();
    }
  }

  /** Bytes were found lost. */
  void onLost(int bytes) {
    roundLost += bytes;
  }

  /** All that was on its way when the round began has been answered for. */
  void onRound(long nowNs) {
    roundsSinceDrain++;
    if (draining > 0) {
      onDrainingRound(nowNs);
    } else {
      followDelay();
      followLoss();
      boolean stale = leastNs != Long.MAX_VALUE && nowNs - leastAtNs > drainEveryNs;
      if (stale) {
        drain();
      }
    }
    roundLeastNs = Long.MAX_VALUE;
    roundAcked = 0;
    roundLost = 0;
  }

  private void followDelay() {
    if (roundLeastNs == Long.MAX_VALUE) {
      return;
    }
    long allowedNs = Math.max(queueTargetNs, leastNs >>> 1);
    long targetNs = leastNs + allowedNs;
    hurries = roundLeastNs < leastNs + (allowedNs >>> 2);
    if (roundLeastNs > targetNs) {
      double over = (double) (roundLeastNs - targetNs) / roundLeastNs;
      double shrunk = window * Math.max(1 - DECREASE * over, DECREASE_MOST);
      double least = lossShare > LOSS_SEEN ? FRAMES_MIN : FRAMES_QUEUED;
      window = Math.min(window, Math.max(shrunk, least * frameBytes));
      starting = false;
    }
  }

  private void followLoss() {
    long total = roundAcked + roundLost;
    if (total > 0) {
      lossShare += ((double) roundLost / total - lossShare) / 8;
      starting &= roundLost == 0;
    }
    if (lossShare > LOSS_TOLERATED) {
      window *= LOSS_DECREASE;
      lossShare = LOSS_TOLERATED / 2;
      clamp();
      if (roundsSinceDrain > ROUNDS_BETWEEN_DRAINS) {
        drain();
      }
    }
  }

  private void drain() {
    draining = ROUNDS_DRAINING;
    drainedNs = Long.MAX_VALUE;
  }

  /**
   * The first round still sees the old queue; the least of the others is the path's delay, if it is
   * less than was believed. If it is more, others fill the queue, or the path has become longer:
   * that is believed only when nothing near the old value was seen for a long time.
   */
  private void onDrainingRound(long nowNs) {
    if (draining < ROUNDS_DRAINING) {
      drainedNs = Math.min(drainedNs, roundLeastNs);
    }
    if (--draining == 0) {
      roundsSinceDrain = 0;
      leastAtNs = nowNs;
      boolean longer = nowNs - leastSeenNs > LEAST_LIFE_NS;
      drainEveryNs = Math.min(drainEveryNs << 2, DRAIN_EVERY_NS);
      if (drainedNs < leastNs || (longer && drainedNs != Long.MAX_VALUE)) {
        leastNs = drainedNs;
        leastSeenNs = nowNs;
      }
    }
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

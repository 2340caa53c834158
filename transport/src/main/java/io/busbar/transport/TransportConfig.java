package io.busbar.transport;

import io.busbar.wire.FirstBlock;
import io.busbar.wire.Header;
import io.busbar.wire.Key;

/**
 * What a transport is told once. Every bound has its reason beside it.
 *
 * @param node this node's id
 * @param incarnation this life, never repeated
 * @param cluster hash of the cluster's name
 * @param seed where nonces come from
 * @param frameBytesMax largest frame, header and guards included: the fabric's MTU
 * @param crc whether frames carry a CRC32C and must carry one; costs about 1 ns per 2 bytes
 * @param associationsMax slots; lingering ones count
 * @param listenersMax listening contexts; every FIRST is matched against each
 * @param creditBudgetBytes what this node may hold for others, in sum
 * @param windowBytesMax what one association may hold; more than the path's bandwidth times delay
 *     is wasted
 * @param sendQueueMax entries per association; past it a send is refused
 * @param burstFramesMax frames sent to one peer without a pause; a veth ring holds 256
 * @param statusEvery frames between status requests unless the user of an association says
 *     otherwise (A28); lower costs frames, higher makes the clock of acknowledgements coarse
 * @param fillNs how long less than a few full frames waits for more
 * @param ackHoldNs how long an answer may wait for data to ride on, or for more to answer
 * @param ackDelayUs the longest this node may take to answer; peers' timers allow for it
 * @param rttInitialNs assumed before the first measurement
 * @param rtoMinNs shortest wait timer; below the jitter of a busy machine it repairs what is not
 *     lost
 * @param rtoMaxNs longest wait timer after back-off
 * @param silenceNs how long a peer may leave requests unanswered
 * @param lingerNs how long a dissolved key answers before its slot is used again
 * @param creditLifeNs how long an unused credit is believed
 * @param queueTargetNs how much queueing delay the congestion window aims at
 * @param reorderMinNs least allowance for reordering before a repair is asked for
 * @param reorderMaxNs most
 */
public record TransportConfig(
    int node,
    long incarnation,
    long cluster,
    long seed,
    int frameBytesMax,
    boolean crc,
    int associationsMax,
    int listenersMax,
    long creditBudgetBytes,
    int windowBytesMax,
    int sendQueueMax,
    int burstFramesMax,
    int statusEvery,
    long fillNs,
    long ackHoldNs,
    int ackDelayUs,
    long rttInitialNs,
    long rtoMinNs,
    long rtoMaxNs,
    long silenceNs,
    long lingerNs,
    long creditLifeNs,
    long queueTargetNs,
    long reorderMinNs,
    long reorderMaxNs) {

  /** Refuses what cannot work, by name. */
  public TransportConfig {
    require(node >= 0 && node < Header.EVERYONE, "node", node, "0 to 65534");
    require(incarnation != 0, "incarnation", incarnation, "not 0: that means unknown");
    require(
        frameBytesMax >= FirstBlock.FRAME_BYTES_MIN
            && frameBytesMax <= Header.BYTES + Header.PAYLOAD_BYTES_MAX,
        "frameBytesMax",
        frameBytesMax,
        "256 to 65567");
    require(
        associationsMax > 0 && associationsMax <= Key.INDEX_LIMIT,
        "associationsMax",
        associationsMax,
        "1 to 2^24");
    require(listenersMax > 0, "listenersMax", listenersMax, "more than 0");
    require(
        creditBudgetBytes >= 4L * frameBytesMax,
        "creditBudgetBytes",
        creditBudgetBytes,
        "at least four frames");
    require(
        windowBytesMax >= frameBytesMax && windowBytesMax <= Header.CREDIT_BYTES_MAX,
        "windowBytesMax",
        windowBytesMax,
        "a frame to 16 MB - 256");
    require(sendQueueMax >= 1, "sendQueueMax", sendQueueMax, "at least 1");
    require(burstFramesMax >= 2, "burstFramesMax", burstFramesMax, "at least 2");
    require(statusEvery >= 1 && statusEvery <= 0xFFFF, "statusEvery", statusEvery, "1 to 65535");
    require(fillNs >= 0, "fillNs", fillNs, "0 or more");
    require(ackHoldNs >= 0, "ackHoldNs", ackHoldNs, "0 or more");
    require(ackDelayUs >= 0, "ackDelayUs", ackDelayUs, "0 or more");
    require(rttInitialNs > 0, "rttInitialNs", rttInitialNs, "more than 0");
    require(rtoMinNs > 0 && rtoMaxNs >= rtoMinNs, "rtoMinNs", rtoMinNs, "0 < rtoMin <= rtoMax");
    require(silenceNs > rtoMinNs, "silenceNs", silenceNs, "more than rtoMinNs");
    require(lingerNs > 0, "lingerNs", lingerNs, "more than 0");
    require(creditLifeNs > 0, "creditLifeNs", creditLifeNs, "more than 0");
    require(queueTargetNs > 0, "queueTargetNs", queueTargetNs, "more than 0");
    require(
        reorderMinNs >= 0 && reorderMaxNs >= reorderMinNs,
        "reorderMinNs",
        reorderMinNs,
        "0 <= reorderMin <= reorderMax");
  }

  private static void require(boolean holds, String name, long value, String allowed) {
    if (!holds) {
      throw new IllegalArgumentException(
          "transport config: %s is %d; allowed: %s".formatted(name, value, allowed));
    }
  }

  /** A configuration for UDP on Ethernet, for the node and life given. */
  public static TransportConfig defaults(int node, long incarnation) {
    return new Builder(node, incarnation).build();
  }

  /**
   * How long the answer to a frame that came alone may wait for data to ride on: a part of the time
   * for which the peer expects no answer anyway.
   */
  long ackAloneNs() {
    return Math.max(ackHoldNs, ackDelayUs * 100L);
  }

  /** Starts from the defaults. */
  public static Builder builder(int node, long incarnation) {
    return new Builder(node, incarnation);
  }

  /** Changes single values of the defaults. */
  public static final class Builder {
    private final int node;
    private final long incarnation;
    private long cluster;
    private long seed = 1;
    private int frameBytesMax = 1472;
    private boolean crc;
    private int associationsMax = 1 << 20;
    private int listenersMax = 1024;
    private long creditBudgetBytes = 64L << 20;
    private int windowBytesMax = 4 << 20;
    private int sendQueueMax = 1024;
    private int burstFramesMax = 64;
    private int statusEvery = 8;
    private long fillNs = 100_000;
    private long ackHoldNs = 25_000;
    private int ackDelayUs;
    private long rttInitialNs = 1_000_000;
    private long rtoMinNs = 200_000;
    private long rtoMaxNs = 500_000_000;
    private long silenceNs = 10_000_000_000L;
    private long lingerNs = 1_000_000_000L;
    private long creditLifeNs = 50_000_000;
    private long queueTargetNs = 50_000;
    private long reorderMinNs = 2_000;
    private long reorderMaxNs = 2_000_000;

    Builder(int node, long incarnation) {
      this.node = node;
      this.incarnation = incarnation;
    }

    /** Hash of the cluster's name. */
    public Builder cluster(long value) {
      cluster = value;
      return this;
    }

    /** Where nonces come from. */
    public Builder seed(long value) {
      seed = value;
      return this;
    }

    /** Largest frame. */
    public Builder frameBytesMax(int value) {
      frameBytesMax = value;
      return this;
    }

    /** Whether frames carry a checksum. */
    public Builder crc(boolean value) {
      crc = value;
      return this;
    }

    /** Slots. */
    public Builder associationsMax(int value) {
      associationsMax = value;
      return this;
    }

    /** Listening contexts. */
    public Builder listenersMax(int value) {
      listenersMax = value;
      return this;
    }

    /** What this node may hold for others. */
    public Builder creditBudgetBytes(long value) {
      creditBudgetBytes = value;
      return this;
    }

    /** What one association may hold. */
    public Builder windowBytesMax(int value) {
      windowBytesMax = value;
      return this;
    }

    /** Entries per send queue. */
    public Builder sendQueueMax(int value) {
      sendQueueMax = value;
      return this;
    }

    /** Frames in a burst. */
    public Builder burstFramesMax(int value) {
      burstFramesMax = value;
      return this;
    }

    /** Frames between status requests. */
    public Builder statusEvery(int value) {
      statusEvery = value;
      return this;
    }

    /** How long a partly filled frame waits. */
    public Builder fillNs(long value) {
      fillNs = value;
      return this;
    }

    /** How long an answer may wait for data. */
    public Builder ackHoldNs(long value) {
      ackHoldNs = value;
      return this;
    }

    /** The longest this node may take to answer. */
    public Builder ackDelayUs(int value) {
      ackDelayUs = value;
      return this;
    }

    /** Round trip before the first measurement. */
    public Builder rttInitialNs(long value) {
      rttInitialNs = value;
      return this;
    }

    /** Shortest and longest wait timer. */
    public Builder rtoNs(long min, long max) {
      rtoMinNs = min;
      rtoMaxNs = max;
      return this;
    }

    /** How long a peer may leave requests unanswered. */
    public Builder silenceNs(long value) {
      silenceNs = value;
      return this;
    }

    /** How long a dissolved key answers. */
    public Builder lingerNs(long value) {
      lingerNs = value;
      return this;
    }

    /** How long an unused credit is believed. */
    public Builder creditLifeNs(long value) {
      creditLifeNs = value;
      return this;
    }

    /** Queueing delay aimed at. */
    public Builder queueTargetNs(long value) {
      queueTargetNs = value;
      return this;
    }

    /** Allowance for reordering. */
    public Builder reorderNs(long min, long max) {
      reorderMinNs = min;
      reorderMaxNs = max;
      return this;
    }

    /** The configuration, checked. */
    public TransportConfig build() {
      return new TransportConfig(
          node,
          incarnation,
          cluster,
          seed,
          frameBytesMax,
          crc,
          associationsMax,
          listenersMax,
          creditBudgetBytes,
          windowBytesMax,
          sendQueueMax,
          burstFramesMax,
          statusEvery,
          fillNs,
          ackHoldNs,
          ackDelayUs,
          rttInitialNs,
          rtoMinNs,
          rtoMaxNs,
          silenceNs,
          lingerNs,
          creditLifeNs,
          queueTargetNs,
          reorderMinNs,
          reorderMaxNs);
    }
  }
}

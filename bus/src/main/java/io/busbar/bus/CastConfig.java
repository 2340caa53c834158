package io.busbar.bus;

/**
 * What one node's part in broadcasts is told once.
 *
 * @param id this node's id
 * @param incarnation this node's life
 * @param seed for its random choices
 * @param frameBytesMax the longest frame that all carriers take
 * @param paceNs so long a reader that takes next to nothing may hold back a sender before it is
 *     evicted; {@link Long#MAX_VALUE} for ever
 * @param tailNs so long after a frame that nothing follows its readers are asked whether they have
 *     it: a loss there is noticed no sooner, and each question is answered by all
 */
public record CastConfig(
    int id, long incarnation, long seed, int frameBytesMax, long paceNs, long tailNs) {
  /** A slow reader is waited for so long, unless the program says otherwise. */
  public static final long PACE_NS = 5_000_000_000L;

  /** A slow reader is waited for for ever. */
  public static final long FOR_EVER_NS = Long.MAX_VALUE;

  /** Where losses at the end of what is said should be mended soon. */
  private static final long TAIL_NS = 500_000;

  /** Where all say something now and then, and asking all after each of it would cost more. */
  private static final long TAIL_OF_JOB_NS = 5_000_000;

  /** Frames on their way: for each reader, at least, and at most. */
  static final int WINDOW_PER_READER = 64;

  static final int WINDOW_MIN = 256;

  /** What a ring for received frames holds with room to spare; also what a reader holds. */
  static final int WINDOW_MAX = 1024;

  private static final int FRAME_BYTES_MIN = 512;

  /** Refuses what cannot work, by name. */
  public CastConfig {
    if (id < 0 || id > BusConfig.ID_MAX) {
      throw new IllegalArgumentException(
          "cast config: id is %d; allowed: 0 to %d".formatted(id, BusConfig.ID_MAX));
    }
    if (frameBytesMax < FRAME_BYTES_MIN) {
      throw new IllegalArgumentException(
          "cast config: frameBytesMax is %d; allowed: %d or more"
              .formatted(frameBytesMax, FRAME_BYTES_MIN));
    }
    if (paceNs < 1) {
      throw new IllegalArgumentException(
          "cast config: paceNs is %d; allowed: 1 or more".formatted(paceNs));
    }
    if (tailNs < 1) {
      throw new IllegalArgumentException(
          "cast config: tailNs is %d; allowed: 1 or more".formatted(tailNs));
    }
  }

  /** In a cluster. */
  public CastConfig(int id, long incarnation, long seed, int frameBytesMax, long paceNs) {
    this(id, incarnation, seed, frameBytesMax, paceNs, TAIL_NS);
  }

  /** In a job, whose processes wait for each other for ever, and broadcast in turns. */
  public CastConfig ofJob() {
    return new CastConfig(id, incarnation, seed, frameBytesMax, FOR_EVER_NS, TAIL_OF_JOB_NS);
  }

  /** How many frames may be on their way to so many readers. */
  static int window(int readers) {
    return Math.clamp((long) WINDOW_PER_READER * readers, WINDOW_MIN, WINDOW_MAX);
  }
}

package io.busbar.bus;

import io.busbar.wire.MemberCard;
import java.util.function.IntFunction;

/**
 * What one node's part in the bus is told once.
 *
 * @param cluster the hash of the cluster's name
 * @param id this node's id, or {@link #CLAIM}
 * @param incarnation this node's life
 * @param card what it says of itself once it has an id; asked when it takes one
 * @param seed for its random choices
 * @param frameBytesMax the longest frame that all carriers take
 * @param membersMax nodes that are kept, members and those that have gone
 * @param times how long things take
 */
public record BusConfig(
    long cluster,
    int id,
    long incarnation,
    IntFunction<MemberCard> card,
    long seed,
    int frameBytesMax,
    int membersMax,
    Times times) {
  /** No id is given: one is claimed. */
  public static final int CLAIM = -1;

  /** The same node, in another life, which claims an id. */
  public BusConfig again(long life, long otherSeed) {
    return new BusConfig(cluster, CLAIM, life, card, otherSeed, frameBytesMax, membersMax, times);
  }

  /** The highest id. */
  public static final int ID_MAX = 0xFFFE;

  private static final int FRAME_BYTES_MIN = 1200;

  /** Refuses what cannot work, by name. */
  public BusConfig {
    if (id < CLAIM || id > ID_MAX) {
      throw new IllegalArgumentException(
          "bus config: id is %d; allowed: 0 to %d, or %d to claim one"
              .formatted(id, ID_MAX, CLAIM));
    }
    if (frameBytesMax < FRAME_BYTES_MIN) {
      throw new IllegalArgumentException(
          "bus config: frameBytesMax is %d; allowed: %d or more"
              .formatted(frameBytesMax, FRAME_BYTES_MIN));
    }
    if (membersMax < 1 || membersMax > ID_MAX) {
      throw new IllegalArgumentException(
          "bus config: membersMax is %d; allowed: 1 to %d, so that an id is left to claim"
              .formatted(membersMax, ID_MAX));
    }
  }

  /**
   * How long things take. Detection and false accusations are set together: who shortens the period
   * accuses sooner, and more often wrongly. A member is asked within two periods, and a suspicion
   * lasts five, or as many as the number of members has binary digits: so a death is noticed after
   * six to eight periods, and who stands still for five is taken for dead.
   *
   * @param periodNs a member is probed so often
   * @param answerNs after so long without an answer others are asked to probe it
   * @param claimNs so long an id is claimed before it is taken
   * @param helloNs from the first hello to the second; the others grow
   * @param helloNsMax but not beyond this
   * @param announceNs hellos become rare so long after the first one
   * @param settleNs so long a difference may last before it is mended
   * @param syncNs no sooner than this after the last time
   * @param newsNs between two frames of news
   * @param graveNs one of the dead is probed so often
   * @param keepNs so long those are kept who have gone
   */
  public record Times(
      long periodNs,
      long answerNs,
      long claimNs,
      long helloNs,
      long helloNsMax,
      long announceNs,
      long settleNs,
      long syncNs,
      long newsNs,
      long graveNs,
      long keepNs) {
    private static final long MS = 1_000_000;

    /** For a cluster on one segment. */
    public static final Times DEFAULT =
        new Times(
            200 * MS,
            80 * MS,
            100 * MS,
            20 * MS,
            10_000 * MS,
            60_000 * MS,
            50 * MS,
            200 * MS,
            10 * MS,
            1_000 * MS,
            600_000 * MS);

    /**
     * The same, with members that are probed so often: half the period halves the time until a
     * death is noticed, and how long a member may stand still; it doubles probes, and about doubles
     * suspicions for nothing.
     *
     * @param ns the period
     * @param answers how long an answer may take before others are asked to probe, too: less than
     *     the period, and longer than a round trip with all that delays one
     */
    public Times withPeriodNs(long ns, long answers) {
      return new Times(
          ns,
          answers,
          claimNs,
          helloNs,
          helloNsMax,
          announceNs,
          settleNs,
          syncNs,
          newsNs,
          graveNs,
          keepNs);
    }

    /** The same, with hellos that become rare sooner or later. */
    public Times withAnnounceNs(long ns) {
      return new Times(
          periodNs,
          answerNs,
          claimNs,
          helloNs,
          helloNsMax,
          ns,
          settleNs,
          syncNs,
          newsNs,
          graveNs,
          keepNs);
    }

    /** Refuses what cannot work. */
    public Times {
      if (answerNs < 1 || answerNs >= periodNs || helloNs < 1 || newsNs < 1 || graveNs < 1) {
        throw new IllegalArgumentException(
            ("bus times: the period is %d ns, an answer may take %d ns; allowed: 1 or more, and an"
                    + " answer within the period")
                .formatted(periodNs, answerNs));
      }
    }
  }
}

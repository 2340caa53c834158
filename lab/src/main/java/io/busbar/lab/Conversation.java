package io.busbar.lab;

import java.util.SplittableRandom;

/**
 * What two nodes will say to each other.
 *
 * @param id its number, which FIRST carries as tag
 * @param opener who opens it
 * @param target who is meant
 * @param startNs when
 * @param datagrams datagrams instead of streams
 * @param forwardBytes bytes from opener to target, or number of datagrams
 * @param backwardBytes bytes from target to opener
 * @param messageMax longest message
 * @param consumeNs how long the readers hold what they got
 * @param claims whether readers keep frames instead of copying
 * @param abortAfter the opener aborts when so many bytes have come back or gone out; -1: never
 * @param closeReadAfter the target stops reading after so many bytes; -1: never
 * @param statusEvery frames between status requests, 0 for the default
 * @param pauseNs how long the writers rest half way; 0: not at all
 * @param welcome what the target does with it
 */
record Conversation(
    int id,
    int opener,
    int target,
    long startNs,
    boolean datagrams,
    long forwardBytes,
    long backwardBytes,
    int messageMax,
    long consumeNs,
    boolean claims,
    long abortAfter,
    long closeReadAfter,
    int statusEvery,
    long pauseNs,
    Welcome welcome) {

  /** What the target does with FIRST. */
  enum Welcome {
    /** Takes it. */
    TAKEN,
    /** Has nobody who listens for it. */
    NO_LISTENER,
    /** Has a listener, who says no. */
    REFUSED;

    static Welcome draw(SplittableRandom random) {
      return switch (random.nextInt(24)) {
        case 0 -> NO_LISTENER;
        case 1 -> REFUSED;
        default -> TAKEN;
      };
    }
  }

  /** Whether messages travel as records, several in a frame; every fourth conversation does it. */
  boolean records() {
    return !datagrams && (id & 3) == 3;
  }

  boolean aborts() {
    return abortAfter >= 0;
  }

  static Conversation draw(
      SplittableRandom random, int id, int nodes, long untilNs, long bytes, int payload) {
    int opener = random.nextInt(nodes);
    int target = (opener + 1 + random.nextInt(nodes - 1)) % nodes;
    boolean datagrams = random.nextInt(10) == 0;
    boolean oneWay = random.nextInt(3) == 0;
    long forward = 1 + random.nextLong(bytes);
    long backward = oneWay ? 0 : 1 + random.nextLong(bytes);
    boolean small = random.nextInt(4) == 0;
    int messageMax = small ? 1 + random.nextInt(200) : 1 + random.nextInt(4 * payload);
    if (small) {
      forward = Math.min(forward, 40L * messageMax);
      backward = Math.min(backward, 40L * messageMax);
    }
    long hold = random.nextInt(3) == 0 ? random.nextLong(2_000_000) : 0;
    boolean aborts = random.nextInt(12) == 0;
    boolean closesRead = !aborts && random.nextInt(12) == 0;
    return new Conversation(
        id,
        opener,
        target,
        random.nextLong(untilNs),
        datagrams,
        datagrams ? 1 + forward % 200 : forward,
        datagrams ? 0 : backward,
        messageMax,
        hold,
        random.nextInt(3) == 0,
        aborts ? random.nextLong(forward) : -1,
        closesRead ? random.nextLong(forward) : -1,
        random.nextInt(4) == 0 ? 1 + random.nextInt(20) : 0,
        random.nextInt(5) == 0 ? random.nextLong(400_000_000) : 0,
        Welcome.draw(random));
  }

  /** A plain one in both directions, for what comes after the faults. */
  static Conversation plain(int id, int opener, int target, long startNs, long bytes, int payload) {
    int message = 3 * payload;
    return new Conversation(
        id,
        opener,
        target,
        startNs,
        false,
        bytes,
        bytes,
        message,
        0,
        false,
        -1,
        -1,
        0,
        0,
        Welcome.TAKEN);
  }
}

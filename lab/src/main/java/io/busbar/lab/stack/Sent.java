package io.busbar.lab.stack;

import io.busbar.messages.Messages;

/** A message that was begun, what was given of it, and what has become of it where it went. */
final class Sent {
  private enum State {
    OPEN,
    ENDED,
    BROKEN
  }

  private final long id;
  private final Deed deed;
  private final long size;
  private final int hops;
  private State state = State.OPEN;
  private long given;
  private boolean started;
  private boolean over;

  /** Those of its book before this number, and behind it, may start before it. */
  private int passedBefore;

  /**
   * A message.
   *
   * @param id its number in the run, which its bytes tell
   * @param deed what is to be done with it
   * @param size bytes as its sender announced them; or {@link Messages#SIZE_UNKNOWN}
   * @param hops how often it may be sent on
   */
  Sent(long id, Deed deed, long size, int hops) {
    this.id = id;
    this.deed = deed;
    this.size = size;
    this.hops = hops;
  }

  long id() {
    return id;
  }

  /** Which of its deed's handlers it names. */
  int tag() {
    return (int) (id % Deed.TAGS);
  }

  Deed deed() {
    return deed;
  }

  long size() {
    return size;
  }

  int hops() {
    return hops;
  }

  // The writer.

  /** So many bytes may have left; their number, if it has ended. */
  long given() {
    return given;
  }

  void give(long bytes) {
    given += bytes;
  }

  /** All was given, or is about to be. */
  Sent end() {
    state = State.ENDED;
    return this;
  }

  /** It could not be ended yet. */
  void reopen() {
    state = State.OPEN;
  }

  /** It was broken off: it arrives never, or in part. */
  void breakOff() {
    state = State.BROKEN;
  }

  boolean isEnded() {
    return state == State.ENDED;
  }

  boolean isBroken() {
    return state == State.BROKEN;
  }

  /**
   * It may wait for a channel: what follows in its book may pass it, until it is known to have one.
   */
  void waits() {
    passedBefore = Integer.MAX_VALUE;
  }

  boolean isWaiting() {
    return passedBefore == Integer.MAX_VALUE;
  }

  /** It has its channel, or has gone without one: those that follow now cannot pass it. */
  void hasBegun(int following) {
    passedBefore = following;
  }

  // The reader.

  /** Whether one that has this number in the same book may start before it. */
  boolean mayBePassedBy(int number) {
    return number < passedBefore;
  }

  boolean isStarted() {
    return started;
  }

  /** Whether this is what a handler is called for, as far as it can know. */
  boolean fits(Deed by, int number, long length) {
    boolean fitting = length == (size == Messages.SIZE_UNKNOWN && isEnded() ? given : size);
    return by == deed && number == tag() && (length == Messages.SIZE_UNKNOWN || fitting);
  }

  void start() {
    started = true;
  }

  void over() {
    over = true;
  }

  /** Whether nothing more is to be expected of it. */
  boolean isSettled() {
    return over || (isBroken() && !started);
  }

  @Override
  public String toString() {
    return "#%d %s %s %d of %d bytes%s"
        .formatted(id, deed, state, given, size, over ? " over" : started ? " started" : "");
  }
}

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

  // The reader.

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

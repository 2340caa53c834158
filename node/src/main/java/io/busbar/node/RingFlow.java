package io.busbar.node;

/**
 * The credit of one way through a reliable carrier, both sides of it: the receiver holds a window
 * of bytes that it has not dealt with, and tells how far it is when a quarter was dealt with. A
 * piece that does not fit goes when so little is on its way that the receiver need not have told of
 * it.
 */
final class RingFlow {
  private static final int TELL_SHARE = 4;

  /** Which one of its lane. */
  final int number;

  private final long windowBytes;

  // What we send.
  private long sent;
  private long dealtWith;
  boolean refused;

  // What we receive.
  private long done;
  private long told;

  RingFlow(int number, long windowBytes) {
    this.number = number;
    this.windowBytes = windowBytes;
  }

  boolean mayTake(int bytes) {
    long onTheWay = sent - dealtWith;
    return onTheWay + bytes <= windowBytes || onTheWay < windowBytes / TELL_SHARE;
  }

  void onSent(int bytes) {
    sent += bytes;
  }

  long onTheWayBytes() {
    return sent - dealtWith;
  }

  /** The receiver tells how far it is; false when that cannot be. */
  boolean onTold(long bytes) {
    if (bytes < dealtWith || bytes > sent) {
      return false;
    }
    dealtWith = bytes;
    return true;
  }

  /** Bytes were dealt with. */
  void onDone(long bytes) {
    done += bytes;
  }

  /** Whether the sender has to be told. */
  boolean isDue() {
    return done - told >= windowBytes / TELL_SHARE;
  }

  /** How far we are. */
  long doneBytes() {
    return done;
  }

  /** The sender was told how far we are. */
  void onTold() {
    told = done;
  }
}

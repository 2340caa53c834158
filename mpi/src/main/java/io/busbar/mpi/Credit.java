package io.busbar.mpi;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What one rank may send to another before that has asked for it, in bytes, so that what it keeps
 * unasked is bounded; and, of the other direction, what was dealt with and not told of. Any thread.
 */
final class Credit {
  /** What an envelope costs besides its payload: about what it takes to keep it. */
  private static final int ENVELOPE_CHARGE = 96;

  private final AtomicLong left;

  /** Bytes of the other one's that were dealt with, and that it was not told of. */
  private final AtomicLong dealtWith = new AtomicLong();

  private final long tellBytes;

  /**
   * All of it is there.
   *
   * @param parts the other one is told when it can have one of so many parts of it back
   */
  Credit(long bytes, int parts) {
    left = new AtomicLong(bytes);
    tellBytes = bytes / parts;
  }

  private static long charge(long bytes) {
    return bytes + ENVELOPE_CHARGE;
  }

  /** Takes credit for a message, if there is enough. */
  boolean spend(long bytes) {
    long need = charge(bytes);
    long have = left.get();
    while (have >= need) {
      if (left.compareAndSet(have, have - need)) {
        return true;
      }
      have = left.get();
    }
    return false;
  }

  /** A message was not sent. */
  void refund(long bytes) {
    long _ = left.addAndGet(charge(bytes));
  }

  /** The other one is done with some. */
  void onGiven(long charged) {
    long _ = left.addAndGet(charged);
  }

  long left() {
    return left.get();
  }

  long untold() {
    return dealtWith.get();
  }

  /** A message of the other one was dealt with; how much it is to be told of now, or 0. */
  int dealtWith(long bytes) {
    if (dealtWith.addAndGet(charge(bytes)) < tellBytes) {
      return 0;
    }
    return (int) dealtWith.getAndSet(0);
  }
}

package io.busbar.mpi;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What one rank may send to another before that has asked for it, in bytes, so that what it keeps
 * unasked is bounded; and, of the other direction, what was dealt with and not told of. Any thread.
 */
final class Credit {
  /** What an envelope costs besides its payload: about what it takes to keep it. */
  private static final int ENVELOPE_CHARGE = 96;

  /** What the extractor deals with is added up for itself to such a share of what is told. */
  private static final int BATCHES = 16;

  private final long allBytes;
  private final AtomicLong left;

  /** Bytes of the other one's that were dealt with, and that it was not told of. */
  private final AtomicLong dealtWith = new AtomicLong();

  private final long tellBytes;

  /** The same, as the extractor has it for itself until it is some more; others see it late. */
  private long dealtWithHere;

  private final long batchBytes;

  /**
   * All of it is there.
   *
   * @param parts the other one is told when it can have one of so many parts of it back
   */
  Credit(long bytes, int parts) {
    allBytes = bytes;
    left = new AtomicLong(bytes);
    tellBytes = bytes / parts;
    batchBytes = tellBytes / BATCHES;
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

  /** Whether there is enough for a message. */
  boolean suffices(long bytes) {
    return left.get() >= charge(bytes);
  }

  /**
   * Whether there will be enough when the other one has dealt with what it was sent. Of a message
   * that is longer than half of all nobody can say: what is not told yet may be missing.
   */
  boolean willSuffice(long bytes) {
    return charge(bytes) <= allBytes / 2;
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
    return dealtWith.get() + dealtWithHere;
  }

  /** A message of the other one was dealt with; how much it is to be told of now, or 0. */
  int dealtWith(long bytes) {
    return add(charge(bytes));
  }

  /** The same, by who extracts. */
  int dealtWithAtOnce(long bytes) {
    dealtWithHere += charge(bytes);
    if (dealtWithHere < batchBytes) {
      return 0;
    }
    long batch = dealtWithHere;
    dealtWithHere = 0;
    return add(batch);
  }

  private int add(long charged) {
    return dealtWith.addAndGet(charged) < tellBytes ? 0 : (int) dealtWith.getAndSet(0);
  }
}

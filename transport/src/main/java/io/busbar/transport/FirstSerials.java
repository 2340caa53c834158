package io.busbar.transport;

/**
 * Which serials of a peer's FIRSTs have been answered: the highest, and a bitmap of the {@value
 * #WINDOW} up to it. Each serial is delivered once.
 */
final class FirstSerials {
  /** An initiator has fewer FIRSTs than this unanswered; 128 bytes of bitmap per path. */
  static final int WINDOW = 1024;

  private final long[] seen = new long[WINDOW / Long.SIZE];
  private long highest;

  /** Whether the serial has been used, or is too old to tell. */
  boolean isUsed(long serial) {
    if (serial > highest) {
      return false;
    }
    return isTooOld(serial) || (seen[word(serial)] & 1L << serial) != 0;
  }

  /** Whether the serial lies below everything that is remembered. */
  boolean isTooOld(long serial) {
    return serial <= highest - WINDOW;
  }

  /** Remembers a serial as used. */
  void use(long serial) {
    if (serial > highest) {
      long from = Math.max(highest + 1, serial - WINDOW + 1);
      for (long s = from; s <= serial; s++) {
        seen[word(s)] &= ~(1L << s);
      }
      highest = serial;
    }
    seen[word(serial)] |= 1L << serial;
  }

  private static int word(long serial) {
    return (int) (serial & WINDOW - 1) >>> 6;
  }
}

package io.busbar.wire;

/**
 * One life of a node: 44 bits of start time in milliseconds, 20 random bits. Never zero: zero is
 * how FIRST says that it does not know the life it is talking to.
 */
public final class Incarnation {
  /** Not known. */
  public static final long UNKNOWN = 0;

  private static final int RANDOM_BITS = 20;

  private Incarnation() {}

  /** Composes an incarnation from a start time and random bits, both drawn by the caller. */
  public static long of(long startMs, long random) {
    long incarnation = startMs << RANDOM_BITS | (random & ((1L << RANDOM_BITS) - 1));
    return incarnation == UNKNOWN ? 1 : incarnation;
  }

  /**
   * The 24 bits that keys carry; all 64 bits take part, so that lives a moment apart differ. Never
   * zero, so that no key is.
   */
  public static int keyBits(long incarnation) {
    long mixed = (incarnation ^ incarnation >>> 32) * 0x9E37_79B9_7F4A_7C15L;
    int bits = (int) (mixed >>> 40);
    return bits == 0 ? 1 : bits;
  }

  /** When this life began, by the clock of its host. */
  public static long startMs(long incarnation) {
    return incarnation >>> RANDOM_BITS;
  }

  /** The incarnation as traces print it. */
  public static String text(long incarnation) {
    return incarnation == UNKNOWN ? "unknown" : Long.toHexString(incarnation);
  }
}

package io.busbar.wire;

/**
 * The first word of a frame in a ring: length 4 bytes, kind 1, serial 3. It is stored last and
 * publishes the frame; zero means that nothing is there yet. A frame takes whole units, so that
 * every first word is aligned to a line, and is not interrupted by the ring's end.
 */
public final class RingSlot {
  /** Rings are counted in units of a line. */
  public static final int UNIT_BYTES = 64;

  /** Bytes of the word. */
  public static final int WORD_BYTES = 8;

  /** The frame follows the word. */
  public static final int INLINE = 1;

  /** Nothing: the next frame is at the beginning of the ring. The length counts units. */
  public static final int PAD = 2;

  /** The frame is in a buffer that is the receiver's from now on; its handle follows. */
  public static final int GIVEN = 3;

  /** The frame is in a buffer that stays the sender's; its handle follows. */
  public static final int LENT = 4;

  /** The frame is in the sender's private memory; its address follows. */
  public static final int ACROSS = 5;

  static final int LENGTH_AT = 0;
  static final int KIND_AT = 4;
  static final int SERIAL_AT = 5;

  private static final int SERIAL_MASK = 0xFF_FFFF;

  private RingSlot() {}

  /** Composes the word of a frame that begins at a unit, counted since the ring was opened. */
  public static long word(int kind, int length, long unit) {
    return length | (long) kind << 32 | (unit & SERIAL_MASK) << 40;
  }

  /** Bytes of the frame; negative in a word that is not sound. */
  public static int length(long word) {
    return (int) word;
  }

  /** Where the frame is. */
  public static int kind(long word) {
    return (int) (word >>> 32) & 0xFF;
  }

  /** Whether the word was written for this unit. */
  public static boolean isFor(long word, long unit) {
    return word >>> 40 == (unit & SERIAL_MASK);
  }

  /** Units of a frame of so many bytes inside the ring. */
  public static int units(int length) {
    return (WORD_BYTES + length + UNIT_BYTES - 1) / UNIT_BYTES;
  }
}

package io.busbar.wire;

/** What records say of the bodies of long messages: their names, their starts, their ends. */
public final class Bodies {
  /** A flag of {@link Records#BODY}: nothing follows. */
  public static final int LAST = 1;

  /** A flag of the last {@link Records#BODY}: the sender broke the message off. */
  public static final int BROKEN = 2;

  /**
   * Payload of {@link Records#START}: 8 bytes of size, {@link #SIZE_UNKNOWN} if it is not known,
   * and 8 of the body's name.
   */
  public static final int START_BYTES = 16;

  /** Where START has the body's name. */
  public static final int START_BODY_AT = 8;

  /** A message whose end tells its size. */
  public static final long SIZE_UNKNOWN = -1;

  private static final int CHANNEL_SHIFT = 48;

  /** A body's name: the channel that carries it, and which one of that channel's it is. */
  public static long body(int channel, long number) {
    return ((long) channel << CHANNEL_SHIFT) | (number & ((1L << CHANNEL_SHIFT) - 1));
  }

  /** The channel of a body. */
  public static int channel(long body) {
    return (int) (body >>> CHANNEL_SHIFT);
  }

  private Bodies() {}
}

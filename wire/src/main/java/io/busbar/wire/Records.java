package io.busbar.wire;

/**
 * The eight bytes in front of each record of a stream: length 4, kind 1, flags 1, handler 2. A
 * record is padded to a multiple of eight, so that every header of a stream is aligned to eight
 * bytes of the stream; it may span frames.
 */
public final class Records {
  /** Bytes of the header. */
  public static final int HEADER_BYTES = 8;

  /** The largest payload of a record; longer messages have a body of their own. */
  public static final int LENGTH_MAX = 0x7FFF_FFFF - 15;

  /** A whole message. */
  public static final int WHOLE = 1;

  /** The start of a message whose body goes through a channel of its own. */
  public static final int START = 2;

  /** Four words, as Fast Messages 1 sends them. */
  public static final int WORDS = 3;

  /**
   * How many bytes of the other way were dealt with, of the lane or of the channel that the
   * handler's field names; over reliable carriers only.
   */
  public static final int CREDIT = 4;

  /** The next bytes of a long message's body; over reliable carriers the handler is its channel. */
  public static final int BODY = 5;

  /** The receiver wants no more of a body, whose name is the payload: its channel is free again. */
  public static final int BODY_DONE = 6;

  /** Nothing but a sign of life. */
  public static final int ALIVE = 7;

  /** Flag of a whole message: it lies in a buffer that changed its owner. */
  private static final int PASSED = 1;

  /** A passed buffer up to this length is charged in full. */
  private static final int PASSED_IN_FULL_BYTES = 16 << 10;

  /** Of longer ones this share, but no less than those. */
  private static final int PASSED_SHARE = 2;

  static final int LENGTH_AT = 0;
  static final int KIND_AT = 4;
  static final int FLAGS_AT = 5;
  static final int HANDLER_AT = 6;

  private Records() {}

  /** Composes a header. */
  public static long header(int kind, int flags, int handler, int length) {
    return (length & 0xFFFF_FFFFL)
        | (kind & 0xFFL) << 32
        | (flags & 0xFFL) << 40
        | (long) handler << 48;
  }

  /** Bytes of payload, without padding; negative when the header is not sound. */
  public static int length(long header) {
    return (int) header;
  }

  /** What the record is. */
  public static int kind(long header) {
    return (int) (header >>> 32) & 0xFF;
  }

  /** Flags of the layer above. */
  public static int flags(long header) {
    return (int) (header >>> 40) & 0xFF;
  }

  /** The header of a message that lies in a buffer that changes its owner. */
  public static long passed(long header) {
    return header | (long) PASSED << 40;
  }

  /**
   * What a record's payload takes of its receiver's window: all of it, or less of a long buffer
   * that was passed, because that is memory of its sender's.
   */
  public static int charge(long header) {
    int length = length(header);
    boolean isPassed = kind(header) == WHOLE && (flags(header) & PASSED) != 0;
    return isPassed && length > PASSED_IN_FULL_BYTES
        ? Math.max(PASSED_IN_FULL_BYTES, length / PASSED_SHARE)
        : length;
  }

  /** The handler's number. */
  public static int handler(long header) {
    return (int) (header >>> 48);
  }

  /** Bytes of padding behind a payload of this length. */
  public static int padding(int length) {
    return -length & 7;
  }

  /** Bytes that a record takes in the stream. */
  public static long streamBytes(int length) {
    return HEADER_BYTES + (long) length + padding(length);
  }

  /** Whether a header can begin a record: a known kind and a length in bounds. */
  public static boolean isSound(long header) {
    int kind = kind(header);
    int length = length(header);
    return kind >= WHOLE && kind <= ALIVE && length >= 0 && length <= LENGTH_MAX;
  }
}

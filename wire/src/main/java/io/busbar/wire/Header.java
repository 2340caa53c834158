package io.busbar.wire;

import java.lang.foreign.MemorySegment;

/**
 * The 32 bytes at the front of every frame, on every carrier. Offsets are here and nowhere else;
 * {@code docs/wire/header.md} draws them.
 *
 * <p>The header is read and written as four words, so that a frame costs four loads.
 */
public final class Header {
  /** Bytes of the header. */
  public static final int BYTES = 32;

  /** The version that this code speaks; it refuses any other by name. */
  public static final int VERSION = 1;

  /** The destination that means every node. */
  public static final int EVERYONE = 0xFFFF;

  /** One unit of credit, in bytes. */
  public static final int CREDIT_UNIT_BYTES = 256;

  /** The largest credit that the header can express. */
  public static final long CREDIT_BYTES_MAX = 0xFFFFL * CREDIT_UNIT_BYTES;

  /** The largest payload that the header can express. */
  public static final int PAYLOAD_BYTES_MAX = 0xFFFF;

  /** Bytes from the front that {@link #to} and {@link #from} need, in every version. */
  public static final int ROUTE_BYTES = 8;

  static final int VERSION_FORMAT_AT = 0;
  static final int PROTO_AT = 1;
  static final int LENGTH_AT = 2;

  /** Where the destination is; this place, and the next ones, are the same in every version. */
  public static final int TO_AT = 4;

  /** Where the source is. */
  public static final int FROM_AT = 6;

  /** Where the key is. */
  public static final int KEY_AT = 8;

  static final int SEQ_AT = 16;
  static final int RSEQ_AT = 24;
  static final int CREDIT_AT = 28;

  /** Where the options are. */
  public static final int OPTIONS_AT = 30;

  private Header() {}

  /** Writes a header; every value is cut to its field's width. */
  public static void write(
      MemorySegment segment,
      long at,
      int format,
      int proto,
      int length,
      int to,
      int from,
      long key,
      long seq,
      long rseq,
      int creditUnits,
      int options) {
    long route =
        (VERSION << 4 | (format & 0xF))
            | (long) (proto & 0xFF) << 8
            | (long) (length & 0xFFFF) << 16
            | (long) (to & 0xFFFF) << 32
            | (long) from << 48;
    long status =
        (rseq & 0xFFFF_FFFFL) | (long) (creditUnits & 0xFFFF) << 32 | (long) options << 48;
    segment.set(Le.LONG, at, route);
    segment.set(Le.LONG, at + KEY_AT, key);
    segment.set(Le.LONG, at + SEQ_AT, seq);
    segment.set(Le.LONG, at + RSEQ_AT, status);
  }

  /**
   * Extends the low 32 bits of a sequence number to 64, choosing the value nearest to one that is
   * known to be close. The result is negative when {@code near} is small and {@code low} lies just
   * below zero: a peer can send that, so compare before use.
   */
  public static long extend(int low, long near) {
    return near + (low - (int) near);
  }

  /** The node that a frame is sent to, though nobody has checked it. */
  public static int to(MemorySegment frame, long at) {
    return Le.u16(frame, at + TO_AT);
  }

  /** The node that a frame says it is from, though nobody has checked it. */
  public static int from(MemorySegment frame, long at) {
    return Le.u16(frame, at + FROM_AT);
  }
}

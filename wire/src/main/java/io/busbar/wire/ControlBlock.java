package io.busbar.wire;

import java.lang.foreign.MemorySegment;

/**
 * The payload of CNTL (48 bytes), and of ECNTL (48 bytes, then spans of 16). Accessors take a view
 * that {@link FrameView#wrap} accepted as CNTL or ECNTL.
 */
public final class ControlBlock {
  /** Bytes of the block without spans. */
  public static final int BYTES = 48;

  /** Bytes of one span. */
  public static final int SPAN_BYTES = 16;

  /** A repair request names at most this many spans, 1 KB: it fits the smallest Ethernet MTU. */
  public static final int SPANS_MAX = 64;

  static final int RSEQ_AT = 0;
  static final int ALLOC_AT = 8;
  static final int KEY_AT = 16;
  static final int SYNC_AT = 24;
  static final int ECHO_AT = 28;
  static final int HELD_AT = 32;
  static final int ACK_DELAY_AT = 36;
  static final int NEWEST_AT = 40;
  static final int SPAN_FROM_AT = 0;
  static final int SPAN_TO_AT = 8;

  private ControlBlock() {}

  /** Writes a block without spans. */
  public static void write(
      MemorySegment segment,
      long at,
      long rseq,
      long alloc,
      long ownKey,
      int sync,
      int echo,
      int heldNs,
      int ackDelayUs,
      long newest) {
    segment.set(Le.LONG, at + RSEQ_AT, rseq);
    segment.set(Le.LONG, at + ALLOC_AT, alloc);
    segment.set(Le.LONG, at + KEY_AT, ownKey);
    segment.set(Le.INT, at + SYNC_AT, sync);
    segment.set(Le.INT, at + ECHO_AT, echo);
    segment.set(Le.INT, at + HELD_AT, heldNs);
    segment.set(Le.INT, at + ACK_DELAY_AT, ackDelayUs);
    segment.set(Le.LONG, at + NEWEST_AT, newest);
  }

  /** Writes span number {@code i} behind a block. */
  public static void writeSpan(MemorySegment segment, long at, int i, long from, long to) {
    long span = at + BYTES + (long) i * SPAN_BYTES;
    segment.set(Le.LONG, span + SPAN_FROM_AT, from);
    segment.set(Le.LONG, span + SPAN_TO_AT, to);
  }

  static Verdict check(MemorySegment segment, long at, int length, boolean spans) {
    if (spans ? length <= BYTES : length != BYTES) {
      return Verdict.BLOCK;
    }
    long rseq = Le.i64(segment, at + RSEQ_AT);
    long alloc = Le.i64(segment, at + ALLOC_AT);
    if (rseq < 0 || alloc < rseq || Le.i64(segment, at + NEWEST_AT) < 0) {
      return Verdict.SEQUENCE;
    }
    if (Le.i32(segment, at + HELD_AT) < 0 || Le.i32(segment, at + ACK_DELAY_AT) < 0) {
      return Verdict.BLOCK;
    }
    return spans ? checkSpans(segment, at, length, rseq) : Verdict.OK;
  }

  private static Verdict checkSpans(MemorySegment segment, long at, int length, long rseq) {
    int count = (length - BYTES) / SPAN_BYTES;
    if (count > SPANS_MAX || BYTES + count * SPAN_BYTES != length) {
      return Verdict.SPANS;
    }
    long edge = rseq;
    for (long span = at + BYTES; span < at + length; span += SPAN_BYTES) {
      long from = Le.i64(segment, span + SPAN_FROM_AT);
      long to = Le.i64(segment, span + SPAN_TO_AT);
      if (from <= edge || to <= from) {
        return Verdict.SPANS;
      }
      edge = to;
    }
    return Verdict.OK;
  }

  /** One past the last byte received without a gap. */
  public static long rseq(FrameView view) {
    return Le.i64(view.segment(), view.payloadAt() + RSEQ_AT);
  }

  /** The sequence number that the peer may not pass. */
  public static long alloc(FrameView view) {
    return Le.i64(view.segment(), view.payloadAt() + ALLOC_AT);
  }

  /** The sender's own key, so that the other side can look it up without a map. */
  public static long ownKey(FrameView view) {
    return Le.i64(view.segment(), view.payloadAt() + KEY_AT);
  }

  /** The number of the sender's status request, 0 when it is none. */
  public static int sync(FrameView view) {
    return Le.i32(view.segment(), view.payloadAt() + SYNC_AT);
  }

  /** The newest {@code sync} that the sender has received. */
  public static int echo(FrameView view) {
    return Le.i32(view.segment(), view.payloadAt() + ECHO_AT);
  }

  /** How long the sender held this answer back after {@link #newest} had come. */
  public static int heldNs(FrameView view) {
    return Le.i32(view.segment(), view.payloadAt() + HELD_AT);
  }

  /** How long the sender may take to acknowledge, in microseconds. */
  public static int ackDelayUs(FrameView view) {
    return Le.i32(view.segment(), view.payloadAt() + ACK_DELAY_AT);
  }

  /**
   * The end of the data frame that reached the sender last; the peer takes its round trip by it.
   */
  public static long newest(FrameView view) {
    return Le.i64(view.segment(), view.payloadAt() + NEWEST_AT);
  }

  /** How many spans follow; 0 for CNTL. */
  public static int spans(FrameView view) {
    return (view.length() - BYTES) / SPAN_BYTES;
  }

  /** The first byte of a span that arrived. */
  public static long spanFrom(FrameView view, int i) {
    return Le.i64(view.segment(), spanAt(view, i) + SPAN_FROM_AT);
  }

  /** One past the last byte of a span that arrived. */
  public static long spanTo(FrameView view, int i) {
    return Le.i64(view.segment(), spanAt(view, i) + SPAN_TO_AT);
  }

  private static long spanAt(FrameView view, int i) {
    return view.payloadAt() + BYTES + (long) i * SPAN_BYTES;
  }
}

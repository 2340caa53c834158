package io.busbar.wire;

import java.lang.foreign.MemorySegment;

/**
 * What CAST and CASTC frames say; {@code docs/wire/bus.md} draws it. The header's key is the
 * stream. Of CAST the header's sequence number is the frame's, its credit the reader who is to
 * answer, and its payload bytes of the stream. Of CASTC the sequence number is its sender's
 * incarnation; accessors take a view that {@link #check} accepted.
 */
public final class CastBlock {
  /** A reader says what it has, and how far it may be sent to. */
  public static final int STATUS = 1;

  /** A reader asks for frames, which the list names. */
  public static final int NAK = 2;

  /** The sender says how far the stream goes, and asks those whom the list names. */
  public static final int POLL = 3;

  /** The sender takes those in whom the list names, and says where they begin. */
  public static final int WELCOME = 4;

  /** The sender waits no longer for those whom the list names. */
  public static final int EVICT = 5;

  /** Who was evicted wants to be taken in again. */
  public static final int JOIN = 6;

  /** Nobody is to answer. */
  public static final int NOBODY = Header.EVERYONE;

  /** Bytes before the list. */
  public static final int BYTES = 32;

  /** Bytes of a span of frames that are missing. */
  public static final int SPAN_BYTES = 16;

  /** Bytes of a reader in a list. */
  public static final int READER_BYTES = 32;

  static final int KIND_AT = 0;
  static final int ZERO_AT = 1;
  static final int COUNT_AT = 2;
  static final int TOKEN_AT = 4;
  static final int SEQ_AT = 8;
  static final int LIMIT_AT = 16;
  static final int GROUP_AT = 24;

  static final int SPAN_FROM_AT = 0;
  static final int SPAN_TO_AT = 8;

  static final int READER_ID_AT = 0;
  static final int READER_LIFE_AT = 8;
  static final int READER_START_AT = 16;
  static final int READER_MESSAGE_AT = 24;

  private static final int LAST = JOIN;

  /** Numbers of frames and messages have so many bits: what is added to one never overflows. */
  private static final int NUMBER_BITS = 56;

  private CastBlock() {}

  /** Writes what stands before the list. */
  public static void write(
      MemorySegment to, long at, int kind, int count, int token, long seq, long limit, long group) {
    to.set(Le.SHORT, at + KIND_AT, (short) kind);
    to.set(Le.SHORT, at + COUNT_AT, (short) count);
    to.set(Le.INT, at + TOKEN_AT, token);
    to.set(Le.LONG, at + SEQ_AT, seq);
    to.set(Le.LONG, at + LIMIT_AT, limit);
    to.set(Le.LONG, at + GROUP_AT, group);
  }

  /** Writes a span of frames, the last one exclusive. */
  public static void writeSpan(MemorySegment to, long at, long from, long end) {
    to.set(Le.LONG, at + SPAN_FROM_AT, from);
    to.set(Le.LONG, at + SPAN_TO_AT, end);
  }

  /** Writes a reader. */
  public static void writeReader(
      MemorySegment to, long at, int id, long life, long start, long message) {
    to.set(Le.LONG, at + READER_ID_AT, id & 0xFFFFL);
    to.set(Le.LONG, at + READER_LIFE_AT, life);
    to.set(Le.LONG, at + READER_START_AT, start);
    to.set(Le.LONG, at + READER_MESSAGE_AT, message);
  }

  /** Judges a frame of format CAST or CASTC. */
  public static Verdict check(FrameView view) {
    int allowed = Options.CRC | Options.SEAL | (view.format() == Format.CAST ? Options.REPAIR : 0);
    if ((view.options() & ~allowed) != 0) {
      return Verdict.OPTIONS;
    }
    boolean sound = view.format() == Format.CAST ? isNumber(view.seq()) : isControl(view);
    return sound ? Verdict.OK : Verdict.BLOCK;
  }

  private static boolean isNumber(long number) {
    return number >>> NUMBER_BITS == 0;
  }

  private static boolean isControl(FrameView view) {
    if (view.length() < BYTES || view.seq() == Incarnation.UNKNOWN) {
      return false;
    }
    int kind = kind(view);
    long entries = (long) count(view) * (kind == NAK ? SPAN_BYTES : READER_BYTES);
    boolean fits = view.length() == BYTES + entries;
    boolean isZero = Le.u8(view.segment(), view.payloadAt() + ZERO_AT) == 0;
    boolean sound = kind >= STATUS && kind <= LAST && fits && isZero && isNumber(seq(view));
    for (int i = 0; sound && kind == NAK && i < count(view); i++) {
      long from = spanFrom(view, i);
      long end = spanTo(view, i);
      sound = isNumber(from) && isNumber(end) && end > from;
    }
    for (int i = 0; sound && kind != NAK && i < count(view); i++) {
      sound = isNumber(readerStart(view, i)) && isNumber(readerMessage(view, i));
    }
    return sound && isNumber(limit(view));
  }

  /** What is said. */
  public static int kind(FrameView view) {
    return Le.u8(view.segment(), view.payloadAt() + KIND_AT);
  }

  /** Entries of the list. */
  public static int count(FrameView view) {
    return Le.u16(view.segment(), view.payloadAt() + COUNT_AT);
  }

  /** What a status repeats of the question. */
  public static int token(FrameView view) {
    return Le.i32(view.segment(), view.payloadAt() + TOKEN_AT);
  }

  /** Of a status the first frame that has not come, otherwise where the stream ends. */
  public static long seq(FrameView view) {
    return Le.i64(view.segment(), view.payloadAt() + SEQ_AT);
  }

  /** Frames from here on may not be sent yet. */
  public static long limit(FrameView view) {
    return Le.i64(view.segment(), view.payloadAt() + LIMIT_AT);
  }

  /** Whom the stream is for. */
  public static long group(FrameView view) {
    return Le.i64(view.segment(), view.payloadAt() + GROUP_AT);
  }

  private static long spanAt(FrameView view, int index) {
    return view.payloadAt() + BYTES + (long) index * SPAN_BYTES;
  }

  /** The first frame that is missing. */
  public static long spanFrom(FrameView view, int index) {
    return Le.i64(view.segment(), spanAt(view, index) + SPAN_FROM_AT);
  }

  /** The first one behind them. */
  public static long spanTo(FrameView view, int index) {
    return Le.i64(view.segment(), spanAt(view, index) + SPAN_TO_AT);
  }

  private static long readerAt(FrameView view, int index) {
    return view.payloadAt() + BYTES + (long) index * READER_BYTES;
  }

  /** A reader's id. */
  public static int readerId(FrameView view, int index) {
    return (int) Le.i64(view.segment(), readerAt(view, index) + READER_ID_AT);
  }

  /** A reader's life. */
  public static long readerLife(FrameView view, int index) {
    return Le.i64(view.segment(), readerAt(view, index) + READER_LIFE_AT);
  }

  /** The frame at which it begins. */
  public static long readerStart(FrameView view, int index) {
    return Le.i64(view.segment(), readerAt(view, index) + READER_START_AT);
  }

  /** The message at which it begins. */
  public static long readerMessage(FrameView view, int index) {
    return Le.i64(view.segment(), readerAt(view, index) + READER_MESSAGE_AT);
  }

  /** The place of a reader in the list; negative when it is not named. */
  public static int indexOf(FrameView view, int id, long life) {
    for (int i = 0; i < count(view); i++) {
      if (readerId(view, i) == id && readerLife(view, i) == life) {
        return i;
      }
    }
    return -1;
  }
}

package io.busbar.wire;

import java.lang.foreign.MemorySegment;

/**
 * What the bus's frames carry; {@code docs/wire/bus.md} draws it. The header's key is the cluster,
 * its sequence number the sender's incarnation. The payload begins with what the sender knows in
 * sum; accessors take a view that {@link #check} accepted.
 */
public final class BusBlock {
  /** Bytes that every payload begins with. */
  public static final int BYTES = 16;

  /** A HELLO asks those who hear it to answer. */
  public static final int ASKS = 1;

  /** A HELLO's sender claims its id, and is in no view yet. */
  public static final int CLAIMS = 2;

  /** Classes of ids that SYNC tells apart: the class of an id is its remainder. */
  public static final int CLASSES = 64;

  /** Bytes of SYNC's payload. */
  public static final int SYNC_BYTES = BYTES + CLASSES * Integer.BYTES;

  /** Bytes of PROBE's and ANSWER's payload before the records. */
  public static final int PROBE_BYTES = BYTES + 24;

  static final int HASH_AT = 0;
  static final int MEMBERS_AT = 8;
  static final int FLAGS_AT = 12;
  static final int NONCE_AT = 16;
  static final int ORIGIN_AT = 24;
  static final int TARGET_AT = 26;
  static final int ZERO_AT = 28;
  static final int TARGET_LIFE_AT = 32;

  private BusBlock() {}

  /** Writes what every payload begins with. */
  public static void write(MemorySegment to, long at, long viewHash, int members, int flags) {
    to.set(Le.LONG, at + HASH_AT, viewHash);
    to.set(Le.INT, at + MEMBERS_AT, members);
    to.set(Le.INT, at + FLAGS_AT, flags);
  }

  /** Writes the hash of a class behind it. */
  public static void writeClass(MemorySegment to, long at, int number, int hash) {
    to.set(Le.INT, at + BYTES + (long) number * Integer.BYTES, hash);
  }

  /** Writes what PROBE and ANSWER have behind it. */
  public static void writeProbe(
      MemorySegment to, long at, long nonce, int origin, int target, long targetLife) {
    to.set(Le.LONG, at + NONCE_AT, nonce);
    to.set(Le.SHORT, at + ORIGIN_AT, (short) origin);
    to.set(Le.SHORT, at + TARGET_AT, (short) target);
    to.set(Le.INT, at + ZERO_AT, 0);
    to.set(Le.LONG, at + TARGET_LIFE_AT, targetLife);
  }

  /** Judges a frame of the bus, which {@link FrameView#wrap} accepted whatever its payload is. */
  public static Verdict check(FrameView view) {
    int length = view.length();
    int options = view.options() & ~(Options.CRC | Options.SEAL);
    if (view.format() > Format.ANSWER) {
      return Verdict.FORMAT;
    }
    if (options != 0) {
      return Verdict.OPTIONS;
    }
    if (length < BYTES || view.seq() == Incarnation.UNKNOWN) {
      return Verdict.BLOCK;
    }
    MemorySegment bytes = view.segment();
    long at = view.payloadAt();
    boolean sound =
        switch (view.format()) {
          case Format.HELLO -> MemberCard.count(bytes, at + BYTES, length - BYTES) == 1;
          case Format.SYNC -> length == SYNC_BYTES;
          case Format.VIEW -> MemberCard.count(bytes, at + BYTES, length - BYTES) >= 0;
          case Format.NEWS -> MemberRecord.areSound(bytes, at + BYTES, length - BYTES);
          default ->
              length >= PROBE_BYTES
                  && MemberRecord.areSound(bytes, at + PROBE_BYTES, length - PROBE_BYTES);
        };
    return sound ? Verdict.OK : Verdict.BLOCK;
  }

  /** The hash of all that the sender knows. */
  public static long viewHash(FrameView view) {
    return Le.i64(view.segment(), view.payloadAt() + HASH_AT);
  }

  /** How many nodes the sender believes to live. */
  public static int members(FrameView view) {
    return Le.i32(view.segment(), view.payloadAt() + MEMBERS_AT);
  }

  /** Whether a flag is set. */
  public static boolean has(FrameView view, int flag) {
    return (Le.i32(view.segment(), view.payloadAt() + FLAGS_AT) & flag) != 0;
  }

  /** SYNC's hash of a class. */
  public static int classHash(FrameView view, int number) {
    return Le.i32(view.segment(), view.payloadAt() + BYTES + (long) number * Integer.BYTES);
  }

  /** What an answer repeats. */
  public static long nonce(FrameView view) {
    return Le.i64(view.segment(), view.payloadAt() + NONCE_AT);
  }

  /** Who wants to know. */
  public static int origin(FrameView view) {
    return Le.u16(view.segment(), view.payloadAt() + ORIGIN_AT);
  }

  /** Who is to answer. */
  public static int target(FrameView view) {
    return Le.u16(view.segment(), view.payloadAt() + TARGET_AT);
  }

  /** The life that is to answer. */
  public static long targetLife(FrameView view) {
    return Le.i64(view.segment(), view.payloadAt() + TARGET_LIFE_AT);
  }

  /** Where the records or cards of a frame begin. */
  public static long listAt(FrameView view) {
    return view.payloadAt() + (view.format() >= Format.PROBE ? PROBE_BYTES : BYTES);
  }

  /** Where they end. */
  public static long listEnd(FrameView view) {
    return view.payloadAt() + view.length();
  }
}

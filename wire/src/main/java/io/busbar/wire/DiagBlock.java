package io.busbar.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The 40 bytes of DIAG's payload. Accessors take a view that {@link FrameView#wrap} accepted as
 * DIAG.
 */
public final class DiagBlock {
  /** Bytes of the block. */
  public static final int BYTES = 40;

  static final int CODE_AT = 0;
  static final int VERSION_MIN_AT = 2;
  static final int VERSION_MAX_AT = 3;
  static final int DETAIL_AT = 4;
  static final int CLUSTER_AT = 8;
  static final int INCARNATION_AT = 16;
  static final int PEER_INCARNATION_AT = 24;
  static final int SERIAL_AT = 32;

  private DiagBlock() {}

  /** Writes a block. */
  public static void write(
      MemorySegment segment,
      long at,
      Diagnosis code,
      int detail,
      long cluster,
      long incarnation,
      long peerIncarnation,
      long serial) {
    segment.set(Le.SHORT, at + CODE_AT, (short) code.number());
    segment.set(ValueLayout.JAVA_BYTE, at + VERSION_MIN_AT, (byte) Header.VERSION);
    segment.set(ValueLayout.JAVA_BYTE, at + VERSION_MAX_AT, (byte) Header.VERSION);
    segment.set(Le.INT, at + DETAIL_AT, detail);
    segment.set(Le.LONG, at + CLUSTER_AT, cluster);
    segment.set(Le.LONG, at + INCARNATION_AT, incarnation);
    segment.set(Le.LONG, at + PEER_INCARNATION_AT, peerIncarnation);
    segment.set(Le.LONG, at + SERIAL_AT, serial);
  }

  static Verdict check(MemorySegment segment, long at, int length) {
    if (length != BYTES) {
      return Verdict.BLOCK;
    }
    boolean sound =
        Diagnosis.isKnown(Le.u16(segment, at + CODE_AT))
            && Le.u8(segment, at + VERSION_MIN_AT) <= Le.u8(segment, at + VERSION_MAX_AT)
            && Le.i64(segment, at + INCARNATION_AT) != Incarnation.UNKNOWN;
    return sound ? Verdict.OK : Verdict.BLOCK;
  }

  /** What is wrong, or asked. */
  public static Diagnosis code(FrameView view) {
    return Diagnosis.of(Le.u16(view.segment(), view.payloadAt() + CODE_AT));
  }

  /** The lowest version that the sender speaks. */
  public static int versionMin(FrameView view) {
    return Le.u8(view.segment(), view.payloadAt() + VERSION_MIN_AT);
  }

  /** The highest version that the sender speaks. */
  public static int versionMax(FrameView view) {
    return Le.u8(view.segment(), view.payloadAt() + VERSION_MAX_AT);
  }

  /** A number of the refusing user's, or the longest frame of who is asked about its life. */
  public static int detail(FrameView view) {
    return Le.i32(view.segment(), view.payloadAt() + DETAIL_AT);
  }

  /** The hash of the sender's cluster. */
  public static long cluster(FrameView view) {
    return Le.i64(view.segment(), view.payloadAt() + CLUSTER_AT);
  }

  /** The sender's life. */
  public static long incarnation(FrameView view) {
    return Le.i64(view.segment(), view.payloadAt() + INCARNATION_AT);
  }

  /** The life of the receiver that the sender is speaking to or asking about. */
  public static long peerIncarnation(FrameView view) {
    return Le.i64(view.segment(), view.payloadAt() + PEER_INCARNATION_AT);
  }

  /** The serial of the FIRST that is answered, or the nonce of a challenge. */
  public static long serial(FrameView view) {
    return Le.i64(view.segment(), view.payloadAt() + SERIAL_AT);
  }
}

package io.busbar.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The 64 bytes with which FIRST's payload begins: addresses, service and both lives. Data follows.
 * Accessors take a view that {@link FrameView#wrap} accepted as FIRST.
 */
public final class FirstBlock {
  /** Bytes of the block. */
  public static final int BYTES = 64;

  /** Every node takes frames of this size. */
  public static final int FRAME_BYTES_MIN = 256;

  static final int VERSION_MIN_AT = 0;
  static final int VERSION_MAX_AT = 1;
  static final int SERVICE_AT = 2;
  static final int WORDS_AT = 3;
  static final int FRAME_MAX_AT = 4;
  static final int CLUSTER_AT = 8;
  static final int SOURCE_INCARNATION_AT = 16;
  static final int DEST_INCARNATION_AT = 24;
  static final int SERIAL_AT = 32;
  static final int SOURCE_PORT_AT = 40;
  static final int DEST_PORT_AT = 44;
  static final int ACK_DELAY_AT = 48;
  static final int STATUS_EVERY_AT = 52;
  static final int RESERVED_AT = 54;
  static final int TAG_AT = 56;

  private FirstBlock() {}

  /** Writes a block. */
  public static void write(
      MemorySegment segment,
      long at,
      int service,
      int frameBytesMax,
      long cluster,
      long sourceIncarnation,
      long destIncarnation,
      long serial,
      int sourcePort,
      int destPort,
      int ackDelayUs,
      int statusEvery,
      long tag) {
    segment.set(ValueLayout.JAVA_BYTE, at + VERSION_MIN_AT, (byte) Header.VERSION);
    segment.set(ValueLayout.JAVA_BYTE, at + VERSION_MAX_AT, (byte) Header.VERSION);
    segment.set(ValueLayout.JAVA_BYTE, at + SERVICE_AT, (byte) service);
    segment.set(ValueLayout.JAVA_BYTE, at + WORDS_AT, (byte) (BYTES / Long.BYTES));
    segment.set(Le.INT, at + FRAME_MAX_AT, frameBytesMax);
    segment.set(Le.LONG, at + CLUSTER_AT, cluster);
    segment.set(Le.LONG, at + SOURCE_INCARNATION_AT, sourceIncarnation);
    segment.set(Le.LONG, at + DEST_INCARNATION_AT, destIncarnation);
    segment.set(Le.LONG, at + SERIAL_AT, serial);
    segment.set(Le.INT, at + SOURCE_PORT_AT, sourcePort);
    segment.set(Le.INT, at + DEST_PORT_AT, destPort);
    segment.set(Le.INT, at + ACK_DELAY_AT, ackDelayUs);
    segment.set(Le.SHORT, at + STATUS_EVERY_AT, (short) statusEvery);
    segment.set(Le.SHORT, at + RESERVED_AT, (short) 0);
    segment.set(Le.LONG, at + TAG_AT, tag);
  }

  static Verdict check(MemorySegment segment, long at, int length) {
    if (length < BYTES) {
      return Verdict.BLOCK;
    }
    boolean sound =
        Le.u8(segment, at + WORDS_AT) == BYTES / Long.BYTES
            && Le.u8(segment, at + VERSION_MIN_AT) <= Header.VERSION
            && Le.u8(segment, at + VERSION_MAX_AT) >= Header.VERSION
            && Le.u16(segment, at + RESERVED_AT) == 0
            && Le.i64(segment, at + SOURCE_INCARNATION_AT) != Incarnation.UNKNOWN
            && Le.i64(segment, at + SERIAL_AT) > 0
            && Le.u16(segment, at + STATUS_EVERY_AT) > 0
            && Le.i32(segment, at + ACK_DELAY_AT) >= 0
            && Le.i32(segment, at + FRAME_MAX_AT) >= FRAME_BYTES_MIN;
    return sound ? Verdict.OK : Verdict.BLOCK;
  }

  /** The lowest version that the initiator speaks. */
  public static int versionMin(FrameView view) {
    return Le.u8(view.segment(), view.payloadAt() + VERSION_MIN_AT);
  }

  /** The highest version that the initiator speaks. */
  public static int versionMax(FrameView view) {
    return Le.u8(view.segment(), view.payloadAt() + VERSION_MAX_AT);
  }

  /** The service level asked for. */
  public static int service(FrameView view) {
    return Le.u8(view.segment(), view.payloadAt() + SERVICE_AT);
  }

  /** The largest frame, header included, that the initiator can take. */
  public static int frameBytesMax(FrameView view) {
    return Le.i32(view.segment(), view.payloadAt() + FRAME_MAX_AT);
  }

  /** The hash of the cluster's name. */
  public static long cluster(FrameView view) {
    return Le.i64(view.segment(), view.payloadAt() + CLUSTER_AT);
  }

  /** The initiator's life. */
  public static long sourceIncarnation(FrameView view) {
    return Le.i64(view.segment(), view.payloadAt() + SOURCE_INCARNATION_AT);
  }

  /** The life that the initiator means to reach; {@link Incarnation#UNKNOWN} at first contact. */
  public static long destIncarnation(FrameView view) {
    return Le.i64(view.segment(), view.payloadAt() + DEST_INCARNATION_AT);
  }

  /** Counts the initiator's associations with this life of the responder, from 1. */
  public static long serial(FrameView view) {
    return Le.i64(view.segment(), view.payloadAt() + SERIAL_AT);
  }

  /** The initiator's port. */
  public static int sourcePort(FrameView view) {
    return Le.i32(view.segment(), view.payloadAt() + SOURCE_PORT_AT);
  }

  /** The port asked for. */
  public static int destPort(FrameView view) {
    return Le.i32(view.segment(), view.payloadAt() + DEST_PORT_AT);
  }

  /** How long the initiator may take to acknowledge, in microseconds. */
  public static int ackDelayUs(FrameView view) {
    return Le.i32(view.segment(), view.payloadAt() + ACK_DELAY_AT);
  }

  /** Every how many packets the initiator asks for status. */
  public static int statusEvery(FrameView view) {
    return Le.u16(view.segment(), view.payloadAt() + STATUS_EVERY_AT);
  }

  /** Eight bytes of the user's, for listeners to match. */
  public static long tag(FrameView view) {
    return Le.i64(view.segment(), view.payloadAt() + TAG_AT);
  }
}

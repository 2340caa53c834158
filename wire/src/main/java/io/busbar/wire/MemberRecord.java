package io.busbar.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The 16 bytes that say what is known of a node. */
public final class MemberRecord {
  /** Bytes of a record. */
  public static final int BYTES = 16;

  /** The node lives. */
  public static final int ALIVE = 1;

  /** The node did not answer, and may still say that it lives. */
  public static final int SUSPECTED = 2;

  /** The node did not answer for long. */
  public static final int DEAD = 3;

  /** The node said that it leaves. */
  public static final int LEFT = 4;

  static final int ID_AT = 0;
  static final int STATE_AT = 2;
  static final int ZERO_AT = 3;
  static final int EDITION_AT = 4;
  static final int LIFE_AT = 8;

  private MemberRecord() {}

  /** Writes a record. */
  public static void write(MemorySegment to, long at, int id, int state, int edition, long life) {
    to.set(Le.SHORT, at + ID_AT, (short) id);
    to.set(ValueLayout.JAVA_BYTE, at + STATE_AT, (byte) state);
    to.set(ValueLayout.JAVA_BYTE, at + ZERO_AT, (byte) 0);
    to.set(Le.INT, at + EDITION_AT, edition);
    to.set(Le.LONG, at + LIFE_AT, life);
  }

  static boolean isSound(MemorySegment bytes, long at) {
    int state = state(bytes, at);
    return id(bytes, at) != Header.EVERYONE
        && state >= ALIVE
        && state <= LEFT
        && Le.u8(bytes, at + ZERO_AT) == 0
        && edition(bytes, at) >= 0
        && life(bytes, at) != Incarnation.UNKNOWN;
  }

  static boolean areSound(MemorySegment bytes, long at, int length) {
    boolean sound = length % BYTES == 0;
    for (long next = at; sound && next < at + length; next += BYTES) {
      sound = isSound(bytes, next);
    }
    return sound;
  }

  /** The node. */
  public static int id(MemorySegment bytes, long at) {
    return Le.u16(bytes, at + ID_AT);
  }

  /** {@link #ALIVE} to {@link #LEFT}. */
  public static int state(MemorySegment bytes, long at) {
    return Le.u8(bytes, at + STATE_AT);
  }

  /** Counts up within a life. */
  public static int edition(MemorySegment bytes, long at) {
    return Le.i32(bytes, at + EDITION_AT);
  }

  /** The incarnation. */
  public static long life(MemorySegment bytes, long at) {
    return Le.i64(bytes, at + LIFE_AT);
  }
}

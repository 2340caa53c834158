package io.busbar.lab;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Bytes that say where they belong: each eight of a flow differ from all others. */
public final class Pattern {
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final long STEP = 0x9E37_79B9_7F4A_7C15L;

  private Pattern() {}

  private static long word(long flow, long index) {
    long mixed = (flow + 1) * 0xBF58_476D_1CE4_E5B9L + index * STEP;
    return mixed ^ mixed >>> 29;
  }

  private static byte byteAt(long flow, long position) {
    return (byte) (word(flow, position >>> 3) >>> ((position & 7) << 3));
  }

  /** Writes the bytes from a position of a flow. */
  public static void write(MemorySegment to, long at, int length, long flow, long position) {
    long next = position;
    long end = position + length;
    long out = at;
    for (; next < end && (next & 7) != 0; next++, out++) {
      to.set(ValueLayout.JAVA_BYTE, out, byteAt(flow, next));
    }
    for (; next + 8 <= end; next += 8, out += 8) {
      to.set(LONG, out, word(flow, next >>> 3));
    }
    for (; next < end; next++, out++) {
      to.set(ValueLayout.JAVA_BYTE, out, byteAt(flow, next));
    }
  }

  /** Whether the bytes are those from a position of a flow. */
  public static boolean matches(MemorySegment in, long at, int length, long flow, long position) {
    long next = position;
    long end = position + length;
    long from = at;
    for (; next < end && (next & 7) != 0; next++, from++) {
      if (in.get(ValueLayout.JAVA_BYTE, from) != byteAt(flow, next)) {
        return false;
      }
    }
    for (; next + 8 <= end; next += 8, from += 8) {
      if (in.get(LONG, from) != word(flow, next >>> 3)) {
        return false;
      }
    }
    for (; next < end; next++, from++) {
      if (in.get(ValueLayout.JAVA_BYTE, from) != byteAt(flow, next)) {
        return false;
      }
    }
    return true;
  }
}

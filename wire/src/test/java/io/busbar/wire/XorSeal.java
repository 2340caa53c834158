package io.busbar.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A toy seal that behaves at the seam as a real one does: a fresh counter a frame, everything
 * behind the header enciphered in place, and a tag over it all. It protects nothing.
 */
final class XorSeal implements Seal {
  private static final long MARK = 0x5EA1_5EA1_5EA1_5EA1L;

  private long counter;
  private int opened;

  /** How many frames were opened. */
  int opened() {
    return opened;
  }

  @Override
  public boolean active() {
    return true;
  }

  @Override
  public void seal(MemorySegment frame, long at, int length) {
    counter++;
    cipher(frame, at, length, counter);
    long sum = sum(frame, at, length);
    frame.set(Le.LONG, at + length, counter);
    frame.set(Le.LONG, at + length + COUNTER_BYTES, sum ^ counter);
    frame.set(Le.LONG, at + length + COUNTER_BYTES + Long.BYTES, MARK);
  }

  @Override
  public boolean open(MemorySegment frame, long at, int length) {
    long used = frame.get(Le.LONG, at + length);
    long tag = frame.get(Le.LONG, at + length + COUNTER_BYTES);
    long mark = frame.get(Le.LONG, at + length + COUNTER_BYTES + Long.BYTES);
    if (mark != MARK || tag != (sum(frame, at, length) ^ used)) {
      return false;
    }
    cipher(frame, at, length, used);
    opened++;
    return true;
  }

  private static void cipher(MemorySegment frame, long at, int length, long key) {
    for (long i = at + Header.BYTES; i < at + length; i++) {
      byte b = frame.get(ValueLayout.JAVA_BYTE, i);
      frame.set(ValueLayout.JAVA_BYTE, i, (byte) (b ^ 0x5A ^ key));
    }
  }

  private static long sum(MemorySegment frame, long at, int length) {
    long sum = 0;
    for (int i = 0; i < length; i++) {
      sum = sum * 31 + frame.get(ValueLayout.JAVA_BYTE, at + i);
    }
    return sum;
  }
}

package io.busbar.lab;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A hash over everything that happens in a run: two runs that differ anywhere differ in it. */
public final class TraceHash {
  private static final long PRIME = 0x100_0000_01B3L;

  private long hash = 0xCBF2_9CE4_8422_2325L;

  /** Nothing has happened yet. */
  public TraceHash() {}

  /** The hash so far. */
  public long value() {
    return hash;
  }

  /** A frame met its fate. */
  public void onFrame(long now, String what, MemorySegment bytes, int length) {
    long next = hash ^ now;
    next = (next ^ what.hashCode()) * PRIME;
    next = (next ^ length) * PRIME;
    for (int i = 0; i + 8 <= Math.min(length, 32); i += 8) {
      next = (next ^ bytes.get(ValueLayout.JAVA_LONG_UNALIGNED, i)) * PRIME;
    }
    hash = next ^ next >>> 31;
  }

  /** Something else happened, which three numbers tell apart. */
  public void on(long now, long what, long which) {
    long next = ((hash ^ now) * PRIME ^ what) * PRIME;
    next = (next ^ which) * PRIME;
    hash = next ^ next >>> 31;
  }
}

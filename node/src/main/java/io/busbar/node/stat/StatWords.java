package io.busbar.node.stat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Words of the file; naturally aligned, so that each is loaded and stored whole. */
final class StatWords {
  private static final VarHandle LONG =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();
  private static final VarHandle INT =
      ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();

  private StatWords() {}

  static long get(MemorySegment memory, long at) {
    return (long) LONG.getOpaque(memory, at);
  }

  /** What was written before the word was stored is seen after this. */
  static long acquire(MemorySegment memory, long at) {
    return (long) LONG.getAcquire(memory, at);
  }

  static void set(MemorySegment memory, long at, long word) {
    LONG.setOpaque(memory, at, word);
  }

  /** What was written before is seen by who acquires the word. */
  static void release(MemorySegment memory, long at, long word) {
    LONG.setRelease(memory, at, word);
  }

  /** The same for half a word. */
  static void release(MemorySegment memory, long at, int half) {
    INT.setRelease(memory, at, half);
  }
}

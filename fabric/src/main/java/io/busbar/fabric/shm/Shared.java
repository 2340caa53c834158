package io.busbar.fabric.shm;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/** Words that processes share; naturally aligned. */
final class Shared {
  private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

  private Shared() {}

  /** What was written before the word was stored is seen after this. */
  static long acquire(MemorySegment segment, long at) {
    return (long) WORD.getAcquire(segment, at);
  }

  /** What was written before is seen by who acquires the word. */
  static void release(MemorySegment segment, long at, long word) {
    WORD.setRelease(segment, at, word);
  }

  /**
   * A store that no later read passes. With an explicit fence: a volatile store is ordered before
   * volatile reads only, and those that follow here acquire.
   */
  static void fenced(MemorySegment segment, long at, long word) {
    WORD.setRelease(segment, at, word);
    VarHandle.fullFence();
  }

  static void plain(MemorySegment segment, long at, long word) {
    WORD.set(segment, at, word);
  }

  static boolean replace(MemorySegment segment, long at, long expected, long word) {
    return WORD.compareAndSet(segment, at, expected, word);
  }

  static void increment(MemorySegment segment, long at) {
    long _ = (long) WORD.getAndAdd(segment, at, 1L);
  }
}

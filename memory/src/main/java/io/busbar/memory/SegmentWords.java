package io.busbar.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/** Words in a segment, naturally aligned. */
final class SegmentWords implements Words {
  private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

  private final MemorySegment segment;

  SegmentWords(MemorySegment segment) {
    this.segment = segment;
  }

  @Override
  public long get(long index) {
    return (long) WORD.getAcquire(segment, index << 3);
  }

  @Override
  public boolean replace(long index, long expected, long word) {
    return WORD.compareAndSet(segment, index << 3, expected, word);
  }

  @Override
  public void hint(long index, long word) {
    WORD.setOpaque(segment, index << 3, word);
  }
}

package io.busbar.fabric.modes;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Messages that a receiver took out of senders' memory before anybody asked for them, in order. */
final class Overflow {
  private static final int MESSAGES_MAX = 256;

  private final MemorySegment memory;
  private final long[] offsets = new long[MESSAGES_MAX];
  private final long[] lengths = new long[MESSAGES_MAX];
  private long first;
  private long next;

  Overflow(Arena arena, long bytes) {
    memory = arena.allocate(Math.max(1, bytes), 64);
  }

  MemorySegment memory() {
    return memory;
  }

  boolean isEmpty() {
    return first == next;
  }

  /** Where a message of so many bytes finds room; -1 when it does not. {@link #add} takes it. */
  long room(long length) {
    if (isEmpty()) {
      return length <= memory.byteSize() ? 0 : -1;
    }
    if (next - first == MESSAGES_MAX) {
      return -1;
    }
    long begin = offsets[slot(first)];
    long end = offsets[slot(next - 1)] + lengths[slot(next - 1)];
    if (offsets[slot(next - 1)] >= begin) { // free: behind the last, and before the first
      return end + length <= memory.byteSize() ? end : length <= begin ? 0 : -1;
    }
    return end + length <= begin ? end : -1;
  }

  void add(long offset, long length) {
    offsets[slot(next)] = offset;
    lengths[slot(next)] = length;
    next++;
  }

  long offset() {
    return offsets[slot(first)];
  }

  long length() {
    return lengths[slot(first)];
  }

  void remove() {
    first++;
  }

  private static int slot(long message) {
    return (int) message & (MESSAGES_MAX - 1);
  }
}

package io.busbar.fabric;

import java.lang.foreign.MemorySegment;

/** Memory that its owner has promised to keep alive, and unchanged while it is being sent. */
public final class Registrations {
  /** Regions are few and large: they are searched one by one. */
  private static final int MAX = 64;

  private final long[] from = new long[MAX];
  private final long[] to = new long[MAX];
  private int count;

  /** None yet. */
  public Registrations() {}

  /** Takes a promise. */
  public void add(MemorySegment memory) {
    if (!memory.isNative()) {
      throw new IllegalArgumentException("memory on the heap moves, and cannot be registered");
    }
    if (count == MAX) {
      throw new IllegalStateException("%d regions are registered already".formatted(MAX));
    }
    from[count] = memory.address();
    to[count++] = memory.address() + memory.byteSize();
  }

  /** Ends a promise. */
  public void remove(MemorySegment memory) {
    for (int i = 0; i < count; i++) {
      if (from[i] == memory.address() && to[i] == memory.address() + memory.byteSize()) {
        count--;
        from[i] = from[count];
        to[i] = to[count];
        return;
      }
    }
    throw new IllegalArgumentException("%s was not registered".formatted(memory));
  }

  /** Whether a promise holds for all these bytes. */
  public boolean contains(MemorySegment memory, long offset, long length) {
    return limit(memory, offset) >= offset + length;
  }

  /** How far the bytes from an offset on are promised; 0 when the first one is not. */
  public long limit(MemorySegment memory, long offset) {
    if (count == 0 || !memory.isNative()) {
      return 0;
    }
    long at = memory.address() + offset;
    long limit = 0;
    for (int i = 0; i < count; i++) {
      if (at >= from[i] && at < to[i]) {
        limit = Math.max(limit, to[i] - memory.address());
      }
    }
    return Math.min(memory.byteSize(), limit);
  }
}

package io.busbar.memory;

import java.util.concurrent.atomic.AtomicLongArray;

/** A pool's words on the heap, where a checker of interleavings sees every access to them. */
class ArrayWords implements Words {
  private final AtomicLongArray words;

  ArrayWords(PoolLayout layout) {
    words = new AtomicLongArray((int) PoolLayout.busyWord(layout.zones()));
  }

  @Override
  public long get(long index) {
    return words.get((int) index);
  }

  @Override
  public boolean replace(long index, long expected, long word) {
    return words.compareAndSet((int) index, expected, word);
  }

  @Override
  public void hint(long index, long word) {
    words.set((int) index, word);
  }
}

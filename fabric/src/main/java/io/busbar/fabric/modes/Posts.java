package io.busbar.fabric.modes;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** Buffers that were posted, in order, and what arrived in those that are filled. */
final class Posts {
  private static final int MAX = ChannelWords.POSTS;

  private final ChannelWords words;
  private final ReceiveMode[] modes = new ReceiveMode[MAX];
  private final MemorySegment[] buffers = new MemorySegment[MAX];
  private final long[] offsets = new long[MAX];
  private final long[] capacities = new long[MAX];
  private final long[] results = new long[MAX];
  private long posted;
  private long filled;

  Posts(ChannelWords words) {
    this.words = words;
  }

  boolean isEmpty() {
    return posted == filled;
  }

  boolean isFull() {
    return posted - filled == MAX;
  }

  /**
   * Posts one.
   *
   * @param inBank where it is in the bank; -1 when the sender cannot write there
   * @return its ticket
   */
  long add(ReceiveMode mode, MemorySegment into, long offset, long capacity, long inBank) {
    int slot = (int) posted & (MAX - 1);
    modes[slot] = mode;
    buffers[slot] = into;
    offsets[slot] = offset;
    capacities[slot] = capacity;
    words.post(posted, inBank, capacity);
    return ++posted;
  }

  private int oldest() {
    return (int) filled & (MAX - 1);
  }

  ReceiveMode mode() {
    return modes[oldest()];
  }

  MemorySegment buffer() {
    return buffers[oldest()];
  }

  long offset() {
    return offsets[oldest()];
  }

  long capacity() {
    return capacities[oldest()];
  }

  /** The oldest one is filled, or failed. */
  void fill(long result) {
    results[oldest()] = result;
    filled++;
    words.setFilled(filled);
  }

  /** What {@link #fill} said; pending when it did not yet. */
  long result(long ticket, long pending) {
    Objects.checkIndex(ticket - 1, posted);
    if (ticket <= posted - MAX) {
      throw new IllegalArgumentException(
          "buffer %d was filled long ago, and what arrived is forgotten".formatted(ticket));
    }
    return ticket > filled ? pending : results[(int) (ticket - 1) & (MAX - 1)];
  }
}

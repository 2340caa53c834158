package io.busbar.fabric;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Copies of frames that wait, in the order in which they came. One is due when enough others were
 * handed up, or enough polls have passed. Memory grows to the longest frame that each place has
 * held, and is used again.
 */
final class HeldCopies {
  /** No copy is due. */
  static final int NONE = -1;

  /** The first places are for frames of any carrier's usual length. */
  private static final int BYTES_MIN = 2048;

  private final MemorySegment[] memory;
  private final int[] peers;
  private final int[] lengths;
  private final int[] framesLeft;
  private final int[] pollsLeft;
  private final @Nullable NicAddress[] sources;

  /** Places in the order of arrival, then the free ones. */
  private final int[] order;

  private int size;

  HeldCopies(int max) {
    memory = new MemorySegment[max];
    peers = new int[max];
    lengths = new int[max];
    framesLeft = new int[max];
    pollsLeft = new int[max];
    sources = new @Nullable NicAddress[max];
    order = new int[max];
    for (int i = 0; i < max; i++) {
      memory[i] = MemorySegment.NULL;
      order[i] = i;
    }
  }

  boolean isEmpty() {
    return size == 0;
  }

  boolean isFull() {
    return size == order.length;
  }

  /**
   * Holds a copy until {@code frames} others were handed up or {@code polls} have passed. Not when
   * it {@link #isFull}.
   *
   * @param source a stranger's address
   */
  void add(
      int peer,
      @Nullable NicAddress source,
      MemorySegment from,
      long offset,
      int length,
      int frames,
      int polls) {
    int place = order[size++];
    if (memory[place].byteSize() < length) {
      memory[place] = room(length);
    }
    MemorySegment.copy(from, offset, memory[place], 0, length);
    peers[place] = peer;
    sources[place] = source;
    lengths[place] = length;
    framesLeft[place] = frames;
    pollsLeft[place] = polls;
  }

  static MemorySegment room(int length) {
    long bytes = Math.max(BYTES_MIN, Long.highestOneBit(length - 1L) << 1);
    return Arena.ofAuto().allocate(bytes, Long.BYTES);
  }

  /** A poll has begun. */
  void onPoll() {
    for (int i = 0; i < size; i++) {
      pollsLeft[order[i]]--;
    }
  }

  /** A frame was handed up. */
  void onHandedUp() {
    for (int i = 0; i < size; i++) {
      framesLeft[order[i]]--;
    }
  }

  /**
   * Takes the first copy that is due out of the order; its place stays valid until the next {@link
   * #add}.
   *
   * @return its place, or {@link #NONE}
   */
  int takeDue() {
    for (int i = 0; i < size; i++) {
      int place = order[i];
      if (framesLeft[place] <= 0 || pollsLeft[place] <= 0) {
        remove(i);
        return place;
      }
    }
    return NONE;
  }

  /** Drops what a peer sent, whose way is closed; its number may become another's. */
  void forget(int peer) {
    for (int i = size - 1; i >= 0; i--) {
      if (peers[order[i]] == peer) {
        remove(i);
      }
    }
  }

  void clear() {
    size = 0;
  }

  private void remove(int i) {
    int place = order[i];
    size--;
    System.arraycopy(order, i + 1, order, i, size - i);
    order[size] = place;
  }

  int peer(int place) {
    return peers[place];
  }

  @Nullable NicAddress source(int place) {
    return sources[place];
  }

  MemorySegment memory(int place) {
    return memory[place];
  }

  int length(int place) {
    return lengths[place];
  }
}

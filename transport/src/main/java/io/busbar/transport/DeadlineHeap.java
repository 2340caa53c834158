package io.busbar.transport;

import java.util.Arrays;

/**
 * The deadlines of all that wait, earliest first. Moving a deadline later costs nothing: the entry
 * keeps its early place, and is put right when it comes up. Only an earlier deadline moves it.
 */
final class DeadlineHeap {
  /** Stands past the end, so that the heap keeps nothing alive that has left it. */
  private static final Timed NOBODY =
      new Timed() {
        @Override
        void onDeadline(long nowNs) {}
      };

  private Timed[] heap = new Timed[16];
  private long[] keys = new long[16];
  private int size;

  /** Sets when {@code timed} wants to be called. */
  void set(Timed timed, long deadlineNs) {
    timed.deadlineNs = deadlineNs;
    if (deadlineNs == Timed.NEVER) {
      return;
    }
    if (timed.heapIndex < 0) {
      if (size == heap.length) {
        heap = Arrays.copyOf(heap, size << 1);
        keys = Arrays.copyOf(keys, size << 1);
      }
      heap[size] = timed;
      keys[size] = deadlineNs;
      timed.heapIndex = size;
      up(size++);
    } else if (deadlineNs < keys[timed.heapIndex]) {
      keys[timed.heapIndex] = deadlineNs;
      up(timed.heapIndex);
    }
  }

  /** Sets a deadline, if it is earlier than the one that stands. */
  void lower(Timed timed, long deadlineNs) {
    if (deadlineNs < timed.deadlineNs) {
      set(timed, deadlineNs);
    }
  }

  /** Calls everything that is due. */
  void expire(long nowNs) {
    while (size > 0 && keys[0] <= nowNs) {
      Timed first = heap[0];
      long wanted = first.deadlineNs;
      if (wanted <= nowNs) {
        remove(0);
        first.deadlineNs = Timed.NEVER;
        first.onDeadline(nowNs);
      } else {
        settle(first, wanted);
      }
    }
  }

  /** The next time at which something is due; stale entries are put right first. */
  long nextNs() {
    while (size > 0) {
      Timed first = heap[0];
      if (first.deadlineNs == keys[0]) {
        return keys[0];
      }
      settle(first, first.deadlineNs);
    }
    return Timed.NEVER;
  }

  int size() {
    return size;
  }

  private void settle(Timed first, long wanted) {
    if (wanted == Timed.NEVER) {
      remove(0);
    } else {
      keys[first.heapIndex] = wanted;
      down(first.heapIndex);
    }
  }

  private void remove(int at) {
    Timed gone = heap[at];
    size--;
    if (at != size) {
      place(heap[size], keys[size], at);
      down(at);
    }
    heap[size] = NOBODY;
    gone.heapIndex = -1;
  }

  private void up(int from) {
    int at = from;
    Timed timed = heap[at];
    long key = keys[at];
    while (at > 0) {
      int parent = (at - 1) >>> 1;
      if (keys[parent] <= key) {
        break;
      }
      place(heap[parent], keys[parent], at);
      at = parent;
    }
    place(timed, key, at);
  }

  private void down(int from) {
    int at = from;
    Timed timed = heap[at];
    long key = keys[at];
    while (true) {
      int child = (at << 1) + 1;
      if (child >= size) {
        break;
      }
      if (child + 1 < size && keys[child + 1] < keys[child]) {
        child++;
      }
      if (key <= keys[child]) {
        break;
      }
      place(heap[child], keys[child], at);
      at = child;
    }
    place(timed, key, at);
  }

  private void place(Timed timed, long key, int at) {
    heap[at] = timed;
    keys[at] = key;
    timed.heapIndex = at;
  }
}

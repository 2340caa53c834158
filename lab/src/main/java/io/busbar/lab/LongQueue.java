package io.busbar.lab;

/** A queue of numbers. */
final class LongQueue {
  private long[] values = new long[16];
  private int head;
  private int size;

  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  long first() {
    return values[head];
  }

  void add(long value) {
    if (size == values.length) {
      long[] grown = new long[size << 1];
      for (int i = 0; i < size; i++) {
        grown[i] = values[head + i & size - 1];
      }
      values = grown;
      head = 0;
    }
    values[head + size++ & values.length - 1] = value;
  }

  void removeFirst() {
    head = head + 1 & values.length - 1;
    size--;
  }

  /** Removes ascending numbers up to a bound. */
  void dropUpTo(long bound) {
    while (size > 0 && values[head] <= bound) {
      removeFirst();
    }
  }
}

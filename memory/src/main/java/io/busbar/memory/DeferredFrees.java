package io.busbar.memory;

/**
 * Frees that found their zone busy (A38). Their words say that this process owns them, so a death
 * loses none.
 */
final class DeferredFrees {
  /** Past this a free goes to its zone, busy or not. */
  static final int MAX = 1024;

  private final long[] handles = new long[MAX];
  private int head;
  private int size;

  int size() {
    return size;
  }

  boolean isFull() {
    return size == MAX;
  }

  void add(long handle) {
    handles[(head + size++) & (MAX - 1)] = handle;
  }

  long take() {
    long handle = handles[head];
    head = (head + 1) & (MAX - 1);
    size--;
    return handle;
  }
}

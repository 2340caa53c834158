package io.busbar.transport;

/** Something with a deadline, and its place in the {@link DeadlineHeap}. */
abstract class Timed {
  /** No deadline. */
  static final long NEVER = Long.MAX_VALUE;

  /** When it wants to be called; the heap may hold an earlier time. */
  long deadlineNs = NEVER;

  int heapIndex = -1;

  /** Its deadline has come; it sets the next one, or {@link #NEVER}. */
  abstract void onDeadline(long nowNs);
}

package io.busbar.lab.conformance;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * Descriptors on their way from one station to another: single producer, single consumer. The
 * producer writes a slot, then the tail; the consumer reads a slot, then moves the head.
 */
final class LoopRing {
  static final int SLOTS = 64;

  /** In place of a handle: the bytes lie in the sender's registered memory. */
  static final long REFERENCE = -1;

  private static final VarHandle WORD = JAVA_LONG.varHandle();
  private static final long TAIL = 0;
  private static final long HEAD = 128;
  private static final long SLOTS_AT = 256;
  private static final long SLOT_BYTES = 32;

  private final MemorySegment words =
      Arena.ofAuto().allocate(SLOTS_AT + SLOTS * SLOT_BYTES, Long.BYTES);
  private final MemorySegment[] references = new MemorySegment[SLOTS];

  LoopRing() {
    for (int i = 0; i < SLOTS; i++) {
      references[i] = MemorySegment.NULL;
    }
  }

  private static long slot(long position) {
    return SLOTS_AT + position % SLOTS * SLOT_BYTES;
  }

  boolean isFull() {
    return tail() - head() == SLOTS;
  }

  boolean isEmpty() {
    return tail() == head();
  }

  long tail() {
    return (long) WORD.getAcquire(words, TAIL);
  }

  long head() {
    return (long) WORD.getAcquire(words, HEAD);
  }

  /** Not when it {@link #isFull}. */
  void put(long handle, MemorySegment reference, long offset, int length) {
    long tail = tail();
    references[(int) (tail % SLOTS)] = reference;
    words.set(JAVA_LONG, slot(tail), handle);
    words.set(JAVA_LONG, slot(tail) + 8, offset);
    words.set(JAVA_LONG, slot(tail) + 16, length);
    WORD.setRelease(words, TAIL, tail + 1);
  }

  long handle() {
    return words.get(JAVA_LONG, slot(head()));
  }

  MemorySegment reference() {
    return references[(int) (head() % SLOTS)];
  }

  long offset() {
    return words.get(JAVA_LONG, slot(head()) + 8);
  }

  int length() {
    return (int) words.get(JAVA_LONG, slot(head()) + 16);
  }

  /** The first slot is the producer's again. */
  void remove() {
    WORD.setRelease(words, HEAD, head() + 1);
  }
}

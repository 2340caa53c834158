package io.busbar.node;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The pieces of a record that came in several, one behind the other. A long record can be kept
 * where it was gathered: the next one is gathered elsewhere.
 */
final class Gathered {
  /** Shorter records are copied: one that is kept takes the memory of the longest. */
  private static final int KEPT_BYTES_MIN = 8 << 10;

  /** So much is kept of one stream, in bytes 2 MB: more than a receiver lets wait of long ones. */
  private static final int KEPT_MAX = 32;

  /** Tells the names of what is kept here from those of frames. */
  private static final long HERE = 1L << 62;

  /** The one that is gathered in, and those that are kept, by their numbers; made when needed. */
  private final @Nullable MemorySegment[] memories = new @Nullable MemorySegment[KEPT_MAX + 1];

  /** Numbers that are free; the last one is used next. */
  private final int[] free = new int[KEPT_MAX + 1];

  private int freeCount;
  private int current;
  private MemorySegment memory = MemorySegment.NULL;
  private int bytes;
  private boolean shown;

  Gathered() {
    for (int i = KEPT_MAX; i > 0; i--) {
      free[freeCount++] = i;
    }
  }

  /** A record begins. */
  void begin() {
    bytes = 0;
  }

  /** How much of it lies here. */
  int bytes() {
    return bytes;
  }

  /** The next piece; all of them fit that make a record. */
  void add(MemorySegment from, long at, int length) {
    if (memory.byteSize() == 0) {
      memory = memory(current);
    }
    MemorySegment.copy(from, at, memory, bytes, length);
    bytes += length;
  }

  private MemorySegment memory(int number) {
    MemorySegment known = memories[number];
    if (known == null) {
      known = Arena.ofAuto().allocate(Lane.RECORD_BYTES_MAX);
      memories[number] = known;
    }
    return known;
  }

  /** Where the record begins. It can be kept until {@link #hide}. */
  MemorySegment show() {
    shown = true;
    return memory;
  }

  /** The record was given on. */
  void hide() {
    shown = false;
  }

  /** Keeps the record that is shown until {@link #release}; {@link Lane#NO_CLAIM} if it cannot. */
  long claim() {
    if (!shown || bytes < KEPT_BYTES_MIN || freeCount == 0) {
      return Lane.NO_CLAIM;
    }
    shown = false;
    long name = HERE | current;
    current = free[--freeCount];
    memory = memory(current);
    return name;
  }

  /** Whether a claim is one of those that are made here, and not of a frame. */
  static boolean isName(long claim) {
    return (claim & HERE) != 0;
  }

  /** Gives a claim back. */
  void release(long claim) {
    free[freeCount++] = (int) (claim & ~HERE);
  }
}

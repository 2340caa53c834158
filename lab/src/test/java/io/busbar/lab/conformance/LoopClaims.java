package io.busbar.lab.conformance;

/** How often each kept frame is claimed; a name is a buffer's handle and whose pool it is of. */
final class LoopClaims {
  private static final int HANDLE_BITS = 56;

  private final long[] names;
  private final int[] counts;

  LoopClaims(int max) {
    names = new long[max];
    counts = new int[max];
  }

  static long name(int station, long handle) {
    return (long) station << HANDLE_BITS | handle;
  }

  static int station(long name) {
    return (int) (name >>> HANDLE_BITS);
  }

  static long handle(long name) {
    return name & (1L << HANDLE_BITS) - 1;
  }

  boolean isKept(long name) {
    return find(name) >= 0;
  }

  /** Counts a claim; false when there is no room for another frame. */
  boolean add(long name) {
    int place = find(name);
    for (int i = 0; place < 0 && i < counts.length; i++) {
      place = counts[i] == 0 ? i : place;
    }
    if (place < 0) {
      return false;
    }
    names[place] = name;
    counts[place]++;
    return true;
  }

  /** Counts a claim down; whether it was the last. */
  boolean remove(long name) {
    int place = find(name);
    if (place < 0) {
      throw new IllegalStateException("frame %x was not claimed".formatted(name));
    }
    return --counts[place] == 0;
  }

  private int find(long name) {
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > 0 && names[i] == name) {
        return i;
      }
    }
    return -1;
  }
}

package io.busbar.transport;

import java.util.Arrays;

/**
 * The ranges that arrived behind gaps, ascending and never touching, with the time at which the gap
 * in front of each was first seen.
 */
final class Spans {
  /** A request can name 64; more are kept so that a burst of losses costs no second repair. */
  static final int MAX = 256;

  private long[] from = new long[4];
  private long[] to = new long[4];
  private long[] sinceNs = new long[4];
  private int count;

  int count() {
    return count;
  }

  long from(int i) {
    return from[i];
  }

  long to(int i) {
    return to[i];
  }

  /** When the gap in front of span {@code i} was first seen. */
  long sinceNs(int i) {
    return sinceNs[i];
  }

  boolean isFull() {
    return count == MAX;
  }

  /** The span that ends at or behind {@code seq}, or {@link #count}. */
  int find(long seq) {
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (to[middle] < seq) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Adds a range that overlaps none of the spans; it may touch one or two. */
  void add(long start, long end, long nowNs) {
    int i = find(start);
    boolean joinsLeft = i < count && to[i] == start;
    int right = joinsLeft ? i + 1 : i;
    boolean joinsRight = right < count && from[right] == end;
    if (joinsLeft && joinsRight) {
      to[i] = to[right];
      delete(right);
    } else if (joinsLeft) {
      to[i] = end;
    } else if (joinsRight) {
      from[right] = start;
    } else {
      insert(i, start, end, nowNs);
    }
  }

  /** Drops what lies before {@code rseq}: it is in order now. */
  void dropBefore(long rseq) {
    int gone = 0;
    while (gone < count && to[gone] <= rseq) {
      gone++;
    }
    if (gone > 0) {
      System.arraycopy(from, gone, from, 0, count - gone);
      System.arraycopy(to, gone, to, 0, count - gone);
      System.arraycopy(sinceNs, gone, sinceNs, 0, count - gone);
      count -= gone;
    }
  }

  void clear() {
    count = 0;
  }

  private void insert(int at, long start, long end, long nowNs) {
    if (count == from.length) {
      from = Arrays.copyOf(from, count << 1);
      to = Arrays.copyOf(to, count << 1);
      sinceNs = Arrays.copyOf(sinceNs, count << 1);
    }
    System.arraycopy(from, at, from, at + 1, count - at);
    System.arraycopy(to, at, to, at + 1, count - at);
    System.arraycopy(sinceNs, at, sinceNs, at + 1, count - at);
    from[at] = start;
    to[at] = end;
    sinceNs[at] = nowNs;
    count++;
  }

  private void delete(int at) {
    count--;
    System.arraycopy(from, at + 1, from, at, count - at);
    System.arraycopy(to, at + 1, to, at, count - at);
    System.arraycopy(sinceNs, at + 1, sinceNs, at, count - at);
  }
}

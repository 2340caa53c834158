package io.busbar.fabric.shm;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Buffers of broadcasts: each stays ours until every living reader has passed it. They leave the
 * window in the order in which they were sent, so that one slow reader holds what came after, too.
 * A reader that we have closed holds the window no longer, and still keeps each buffer that it had
 * not passed, until it is gone.
 */
final class Lent {
  /** Broadcasts on their way; one more is refused until the slowest reader has moved on. */
  static final int MAX = 256;

  private static final long[] NONE = {};

  private final OwnPool pool;
  private final long[] handles = new long[MAX];
  private long first;
  private long next;

  /** Readers that were closed, by the buffer that they keep. */
  private final Map<Long, Integer> keepers = new HashMap<>();

  Lent(OwnPool pool) {
    this.pool = pool;
  }

  boolean hasRoom() {
    return next - first < MAX;
  }

  boolean isEmpty() {
    return first == next;
  }

  /** Notes a buffer that is about to be lent. */
  void begin(long handle) {
    handles[slot(next++)] = handle;
  }

  /** Notes a reader of the buffer begun last, which has to pass a unit of its ring. */
  void reader(Peer peer, long unit) {
    if (peer.lentUnits.length == 0) {
      peer.lentUnits = new long[MAX];
    }
    peer.lentUnits[slot(next - 1)] = unit;
  }

  /** Frees what all have passed. */
  void collect(Peer[] peers) {
    while (first < next && isPassed(slot(first), peers)) {
      int slot = slot(first++);
      for (Peer peer : peers) {
        if (peer.lentUnits.length > 0) {
          peer.lentUnits[slot] = 0;
        }
      }
      if (keepers.isEmpty() || !keepers.containsKey(handles[slot])) {
        pool.free(handles[slot]);
      }
      handles[slot] = 0;
    }
  }

  private static boolean isPassed(int slot, Peer[] peers) {
    for (Peer peer : peers) {
      if (!hasPassed(peer, slot)) {
        return false;
      }
    }
    return true;
  }

  private static boolean hasPassed(Peer peer, int slot) {
    RingOut out = peer.out;
    long unit = peer.lentUnits.length == 0 ? 0 : peer.lentUnits[slot];
    return unit == 0 || out == null || out.hasPassed(unit);
  }

  /** A reader was closed: it counts no longer, and keeps what it has not passed. */
  void onClosed(Peer peer) {
    long[] kept = NONE;
    int count = 0;
    for (long i = first; i < next; i++) {
      if (!hasPassed(peer, slot(i))) {
        kept = kept.length == 0 ? new long[MAX] : kept;
        kept[count++] = handles[slot(i)];
        keepers.merge(handles[slot(i)], 1, Integer::sum);
      }
    }
    peer.lentUnits = NONE;
    peer.kept = count == 0 ? NONE : Arrays.copyOf(kept, count);
  }

  /** A closed reader reads no more: what nobody else keeps is freed. */
  void onGone(Peer peer) {
    for (long handle : peer.kept) {
      if (keepers.merge(handle, -1, Integer::sum) == 0) {
        keepers.remove(handle);
        if (!isInWindow(handle)) {
          pool.free(handle);
        }
      }
    }
    peer.kept = NONE;
  }

  private boolean isInWindow(long handle) {
    for (long i = first; i < next; i++) {
      if (handles[slot(i)] == handle) {
        return true;
      }
    }
    return false;
  }

  private static int slot(long number) {
    return (int) number & (MAX - 1);
  }
}

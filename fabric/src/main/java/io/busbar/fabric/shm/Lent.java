package io.busbar.fabric.shm;

import io.busbar.memory.Pool;
import io.busbar.memory.Role;

/**
 * Buffers of broadcasts: each stays ours until every living reader has passed it. They are freed in
 * the order in which they were sent, so that one slow reader holds what came after, too.
 */
final class Lent {
  /** Broadcasts on their way; one more is refused until the slowest reader has moved on. */
  private static final int MAX = 256;

  private final Pool pool;
  private final long[] handles = new long[MAX];
  private long first;
  private long next;

  Lent(Pool pool) {
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
  void collect(Peer[] peers, int count) {
    while (first < next && isPassed(slot(first), peers, count)) {
      int slot = slot(first++);
      for (int i = 0; i < count; i++) {
        if (peers[i].lentUnits.length > 0) {
          peers[i].lentUnits[slot] = 0;
        }
      }
      pool.free(handles[slot], Role.FABRIC);
    }
  }

  private static boolean isPassed(int slot, Peer[] peers, int count) {
    for (int i = 0; i < count; i++) {
      Peer peer = peers[i];
      RingOut out = peer.out;
      long unit = peer.lentUnits.length == 0 ? 0 : peer.lentUnits[slot];
      if (unit > 0 && peer.isOpen() && out != null && !out.hasPassed(unit)) {
        return false;
      }
    }
    return true;
  }

  private static int slot(long number) {
    return (int) number & (MAX - 1);
  }
}

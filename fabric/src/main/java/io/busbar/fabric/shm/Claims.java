package io.busbar.fabric.shm;

import io.busbar.fabric.Nic;
import io.busbar.memory.Pool;
import org.jspecify.annotations.Nullable;

/**
 * Buffers of received frames that the user keeps, in their sender's pool or in ours. A frame is
 * offered while it is delivered. A frame's name is its slot and how often the slot was used: an old
 * name opens nothing.
 */
final class Claims {
  /** What becomes of a buffer that nobody keeps any more. */
  interface Heir {
    void onReleased(Peer peer, Pool pool, long handle, int bytes);
  }

  private static final int NOTHING = -1;

  private final Heir heir;
  private final long[] handles;
  private final @Nullable Pool[] pools;
  private final @Nullable Peer[] peers;
  private final int[] lengths;
  private final int[] counts;
  private final int[] uses;
  private final int[] free;
  private int freeCount;
  private int offered = NOTHING;

  Claims(int max, Heir heir) {
    this.heir = heir;
    handles = new long[max];
    pools = new @Nullable Pool[max];
    peers = new @Nullable Peer[max];
    lengths = new int[max];
    counts = new int[max];
    uses = new int[max];
    free = new int[max];
    for (int i = max - 1; i >= 0; i--) {
      free[freeCount++] = i;
    }
  }

  /** Offers a buffer; the frame's name, or {@link Nic#UNCLAIMABLE} when the quota is spent. */
  long offer(Peer peer, Pool pool, long handle, int bytes) {
    if (freeCount == 0) {
      return Nic.UNCLAIMABLE;
    }
    int slot = free[--freeCount];
    handles[slot] = handle;
    pools[slot] = pool;
    peers[slot] = peer;
    lengths[slot] = bytes;
    counts[slot] = 0;
    uses[slot] = uses[slot] + 1 & Integer.MAX_VALUE;
    offered = slot;
    return (long) uses[slot] << 32 | slot;
  }

  /** The delivery is over: whether the buffer is kept; otherwise it is the caller's again. */
  boolean settle() {
    int slot = offered;
    offered = NOTHING;
    if (slot == NOTHING) {
      return false;
    }
    if (counts[slot] > 0) {
      return true;
    }
    empty(slot);
    return false;
  }

  /** A frame that is kept may be claimed again at any time. */
  boolean claim(long frame) {
    if (frame == Nic.UNCLAIMABLE) {
      return false;
    }
    int slot = slot(frame);
    if (slot != offered && counts[slot] == 0) {
      throw new IllegalStateException(
          "frame %x is not being delivered: claim a frame before onFrame returns".formatted(frame));
    }
    counts[slot]++;
    return true;
  }

  /** Gives a claim back; with the last one the buffer goes to the heir. */
  void release(long frame) {
    int slot = slot(frame);
    if (counts[slot] == 0) {
      throw new IllegalStateException("frame %x was not claimed".formatted(frame));
    }
    if (--counts[slot] > 0 || slot == offered) {
      return;
    }
    Pool pool = pools[slot];
    Peer peer = peers[slot];
    empty(slot);
    if (pool != null && peer != null) {
      heir.onReleased(peer, pool, handles[slot], lengths[slot]);
    }
  }

  private int slot(long frame) {
    int slot = (int) frame;
    if (slot < 0 || slot >= uses.length || uses[slot] != frame >>> 32) {
      throw new IllegalStateException("%x is no frame that is kept".formatted(frame));
    }
    return slot;
  }

  private void empty(int slot) {
    pools[slot] = null;
    peers[slot] = null;
    free[freeCount++] = slot;
  }
}

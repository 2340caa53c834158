package io.busbar.fabric.shm;

import io.busbar.memory.Pool;
import io.busbar.memory.Role;
import org.jspecify.annotations.Nullable;

/**
 * Buffers of received frames that the user keeps, in their sender's pool or in ours. A frame is
 * offered while it is delivered; if nobody claims it, its buffer is freed.
 */
final class Claims {
  private final long[] handles;
  private final @Nullable Pool[] pools;
  private final @Nullable Peer[] peers;
  private final int[] counts;
  private final int[] free;
  private int freeCount;
  private int offered = -1;

  Claims(int max) {
    handles = new long[max];
    pools = new @Nullable Pool[max];
    peers = new @Nullable Peer[max];
    counts = new int[max];
    free = new int[max];
    for (int i = max - 1; i >= 0; i--) {
      free[freeCount++] = i;
    }
  }

  /** Offers a buffer; the frame's name, or -1 when the quota is spent. */
  long offer(Peer peer, Pool pool, long handle) {
    if (freeCount == 0) {
      return -1;
    }
    offered = free[freeCount - 1];
    handles[offered] = handle;
    pools[offered] = pool;
    peers[offered] = peer;
    counts[offered] = 0;
    return offered;
  }

  /** The delivery is over: whether the buffer was claimed. */
  boolean settle() {
    int slot = offered;
    offered = -1;
    if (slot < 0 || counts[slot] == 0) {
      return false;
    }
    freeCount--;
    Peer peer = peers[slot];
    if (peer != null) {
      peer.claims++;
    }
    return true;
  }

  boolean claim(long frame) {
    if (frame < 0) {
      return false;
    }
    if (frame != offered) {
      throw new IllegalStateException(
          "frame %d is not being delivered: claim a frame before onFrame returns".formatted(frame));
    }
    counts[offered]++;
    return true;
  }

  /** Gives a claim back; the peer whose buffer was freed by it, or null. */
  @Nullable Peer release(long frame) {
    if (frame < 0 || frame >= counts.length || counts[(int) frame] == 0) {
      throw new IllegalStateException("frame %d was not claimed".formatted(frame));
    }
    int slot = (int) frame;
    if (--counts[slot] > 0 || slot == offered) {
      return null;
    }
    Pool pool = pools[slot];
    Peer peer = peers[slot];
    pools[slot] = null;
    peers[slot] = null;
    free[freeCount++] = slot;
    if (pool != null) {
      pool.free(handles[slot], Role.FABRIC);
    }
    if (peer != null) {
      peer.claims--;
    }
    return peer;
  }
}

package io.busbar.fabric.shm;

import io.busbar.fabric.Nic;
import io.busbar.fabric.NicCount;
import io.busbar.fabric.NicCounters;
import io.busbar.memory.Pool;
import io.busbar.memory.Role;
import io.busbar.wire.RingSlot;
import io.busbar.wire.SharedSegment;
import java.lang.foreign.MemorySegment;

/** Frames to everyone: what fits into a line is copied into each ring, the rest is lent. */
final class Broadcasts {
  private final MemorySegment memory;
  private final OwnPool pool;
  private final Lent lent;
  private final PeerTable peers;
  private final NicCounters counters;
  private final Doorbells doorbells;

  Broadcasts(
      MemorySegment memory,
      OwnPool pool,
      Lent lent,
      PeerTable peers,
      NicCounters counters,
      Doorbells doorbells) {
    this.memory = memory;
    this.pool = pool;
    this.lent = lent;
    this.peers = peers;
    this.counters = counters;
    this.doorbells = doorbells;
  }

  /** Whether a frame is copied from the scratch of our segment instead of being lent. */
  static boolean isShort(int length) {
    return RingSlot.units(length) == 1;
  }

  /** Whether all have room for a frame; otherwise nobody gets it. */
  boolean makeRoom(int length) {
    if (!isShort(length)) {
      collect();
    }
    return (isShort(length) || lent.hasRoom())
        && allHaveRoom(isShort(length) ? length : RingOut.REFERENCE_BYTES);
  }

  private boolean allHaveRoom(int bytesInRing) {
    for (Peer peer : peers.active) {
      if (peer.isOpen()) {
        RingOut ring = peers.ringTo(peer);
        boolean room = ring != null && ring.makeRoom(bytesInRing);
        if (!room && peers.noRoom(peer) == Nic.FULL) {
          return false;
        }
      }
    }
    return true;
  }

  /** Sends what is in the scratch, after {@link #makeRoom}. */
  void copy(int length) {
    counters.add(NicCount.COPIED);
    for (Peer peer : peers.active) {
      RingOut ring = peer.out;
      if (peer.isOpen() && ring != null) {
        long at = ring.reserve(length);
        MemorySegment.copy(memory, SharedSegment.SCRATCH, memory, at, length);
        ring.publishInline(length);
        doorbells.sent(peer, length);
      }
    }
  }

  /** Sends what is in a buffer of the fabric's, after {@link #makeRoom}. */
  void lend(long handle, int length) {
    long at = pool.placeOf(handle);
    if (at < 0) {
      counters.add(NicCount.LOST_SENDING);
      return;
    }
    lent.begin(handle);
    for (Peer peer : peers.active) {
      RingOut ring = peer.out;
      if (peer.isOpen() && ring != null) {
        ring.publishReference(RingSlot.LENT, at, length);
        lent.reader(peer, ring.tail());
        doorbells.sent(peer, length);
      }
    }
  }

  /** Lends a buffer of the user's; it is freed when all have read it. */
  long transfer(long handle, Role from, int length) {
    collect();
    if (!lent.hasRoom() || !allHaveRoom(RingOut.REFERENCE_BYTES)) {
      return Nic.FULL;
    }
    lend(pool.pool.give(handle, from, Role.FABRIC, SharedSegment.OWNER), length);
    counters.add(NicCount.IN_PLACE);
    return Nic.DONE;
  }

  /** Frees the buffers of broadcasts that all have read. */
  void collect() {
    if (!lent.isEmpty()) {
      lent.collect(peers.active);
    }
  }

  /** A buffer for a frame, for which broadcasts that were read make room; or none. */
  long allocate(int length) {
    long handle = pool.allocate(length);
    if (handle == Pool.NONE && !lent.isEmpty()) {
      collect();
      handle = pool.allocate(length);
    }
    return handle;
  }
}

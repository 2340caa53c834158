package io.busbar.fabric.shm;

import io.busbar.fabric.FrameReceiver;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicCount;
import io.busbar.fabric.NicCounters;
import io.busbar.memory.OwnershipException;
import io.busbar.memory.Pool;
import io.busbar.memory.Role;
import io.busbar.wire.RingSlot;
import io.busbar.wire.SharedSegment;
import java.lang.foreign.MemorySegment;

/** Receiving: takes frames from a peer's ring, wherever their bytes are. */
final class Inbound {
  private final OwnSegment own;
  private final Pool pool;
  private final PeerTable peers;
  private final NicCounters counters;
  final Claims claims;

  Inbound(OwnSegment own, Pool pool, PeerTable peers, NicCounters counters, int claimsMax) {
    this.own = own;
    this.pool = pool;
    this.peers = peers;
    this.counters = counters;
    this.claims = new Claims(claimsMax);
  }

  /** Hands up at most so many frames of one peer; how many. */
  int drain(Peer peer, FrameReceiver receiver, int budget) {
    RingIn ring = peer.in;
    if (ring == null) {
      return 0;
    }
    int taken = 0;
    try {
      while (taken < budget) {
        long word = ring.next();
        if (word == 0) {
          break;
        }
        if (!ring.isSound(word)) {
          peers.expel(peer, "its ring holds what is no frame: %x".formatted(word));
          break;
        }
        if (RingSlot.kind(word) == RingSlot.INLINE) {
          int length = RingSlot.length(word);
          count(length);
          taken++;
          try {
            receiver.onFrame(peer.number, ring.memory, ring.frameAt(), length, Nic.UNCLAIMABLE);
          } finally {
            ring.take(word);
          }
        } else if (RingSlot.kind(word) == RingSlot.PAD) {
          ring.take(word);
        } else if (follow(peer, ring, word, receiver)) {
          taken++;
        } else {
          break;
        }
      }
    } finally {
      ring.tell();
    }
    return taken;
  }

  private void count(int length) {
    counters.add(NicCount.FRAMES_RECEIVED);
    counters.add(NicCount.BYTES_RECEIVED, length);
  }

  /** Follows a reference; false when the frame stays where it is, or the peer was expelled. */
  private boolean follow(Peer peer, RingIn ring, long word, FrameReceiver receiver) {
    int length = RingSlot.length(word);
    long reference = ring.reference();
    return switch (RingSlot.kind(word)) {
      case RingSlot.GIVEN -> given(peer, ring, word, reference, length, receiver);
      case RingSlot.LENT -> lent(peer, ring, word, reference, length, receiver);
      default -> across(peer, ring, word, reference, length, receiver);
    };
  }

  private boolean given(
      Peer peer, RingIn ring, long word, long handle, int length, FrameReceiver receiver) {
    Pool theirs = peer.theirs;
    long at = theirs == null ? -1 : placeOf(theirs, handle, length);
    if (theirs == null || at < 0 || at + length > peer.segment.layout.ringsAt) {
      peers.expel(peer, "it gave a buffer that is not ours: %x".formatted(handle));
      return false;
    }
    deliver(peer, ring, word, theirs, handle, ring.memory, at, length, receiver);
    return true;
  }

  /** Where a buffer of a peer is, if its word says that it is ours, and long enough; else -1. */
  private static long placeOf(Pool theirs, long handle, int length) {
    try {
      boolean fits = theirs.bytes(handle, Role.FABRIC) >= length;
      return fits ? SharedSegment.POOL + theirs.offset(handle, Role.FABRIC) : -1;
    } catch (OwnershipException e) {
      return -1;
    }
  }

  private boolean lent(
      Peer peer, RingIn ring, long word, long at, int length, FrameReceiver receiver) {
    if (at < SharedSegment.POOL || at + length > peer.segment.layout.ringsAt) {
      peers.expel(peer, "it lent memory outside its pool");
      return false;
    }
    count(length);
    try {
      receiver.onFrame(peer.number, ring.memory, at, length, Nic.UNCLAIMABLE);
    } finally {
      ring.take(word);
    }
    return true;
  }

  private boolean across(
      Peer peer, RingIn ring, long word, long address, int length, FrameReceiver receiver) {
    if (length > own.layout.zoneBytes()) {
      peers.expel(peer, "it sent %d bytes, more than a buffer holds".formatted(length));
      return false;
    }
    long handle = pool.allocate(length, Role.FABRIC);
    if (handle == Pool.NONE) {
      return false;
    }
    long at = SharedSegment.POOL + pool.offset(handle, Role.FABRIC);
    long read = peer.segment.process.read(address, own.memory, at, length);
    if (read != length) { // its process has ended, or it broke its promise
      pool.free(handle, Role.FABRIC);
      counters.add(NicCount.LOST_ARRIVING);
      ring.take(word);
      peers.depart(peer, "its memory cannot be read across (%d)".formatted(read));
      return false;
    }
    counters.add(NicCount.READ_ACROSS);
    deliver(peer, ring, word, pool, handle, own.memory, at, length, receiver);
    return true;
  }

  /** Delivers a buffer that is ours, and frees it unless it is claimed. */
  private void deliver(
      Peer peer,
      RingIn ring,
      long word,
      Pool holder,
      long handle,
      MemorySegment memory,
      long at,
      int length,
      FrameReceiver receiver) {
    count(length);
    long frame = claims.offer(peer, holder, handle);
    try {
      receiver.onFrame(peer.number, memory, at, length, frame);
    } finally {
      ring.take(word);
      if (claims.settle()) {
        counters.add(NicCount.CLAIMED);
      } else {
        free(peer, holder, handle);
      }
    }
  }

  private void free(Peer peer, Pool holder, long handle) {
    try {
      holder.free(handle, Role.FABRIC);
    } catch (OwnershipException e) {
      peers.expel(peer, "it took back a buffer that was ours: " + e.getMessage());
    }
  }

  boolean claim(long frame) {
    boolean claimed = claims.claim(frame);
    if (!claimed) {
      counters.add(NicCount.CLAIMS_REFUSED);
    }
    return claimed;
  }

  void release(long frame) {
    Peer peer = claims.release(frame);
    if (peer != null && peer.inLimbo && peer.claims == 0) {
      peers.releaseLimbo();
    }
  }
}

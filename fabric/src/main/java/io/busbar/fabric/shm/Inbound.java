package io.busbar.fabric.shm;

import io.busbar.fabric.FrameReceiver;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicCount;
import io.busbar.fabric.NicCounters;
import io.busbar.linux.Errno;
import io.busbar.memory.OwnershipException;
import io.busbar.memory.Pool;
import io.busbar.memory.Role;
import io.busbar.wire.RingSlot;
import io.busbar.wire.SharedSegment;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Receiving: takes frames from a peer's ring, wherever their bytes are. */
final class Inbound {
  private final OwnSegment own;
  private final OwnPool pool;
  private final PeerTable peers;
  private final NicCounters counters;
  private final Claims claims;

  /** Where a frame from across goes when the pool is full: nobody's progress waits for a buffer. */
  private @Nullable MemorySegment landing;

  Inbound(OwnSegment own, OwnPool pool, PeerTable peers, NicCounters counters, int claimsMax) {
    this.own = own;
    this.pool = pool;
    this.peers = peers;
    this.counters = counters;
    this.claims = new Claims(claimsMax, this::released);
  }

  /**
   * Hands up at most so many frames of one peer; how many.
   *
   * <p>A frame that ends a silence is handed up alone. To look behind it is to fetch a line that
   * its sender has just written, and until that has come, nothing that is written in answer leaves
   * this core: about 80 ns in a round trip of 300. Who polls again looks anyway.
   *
   * <p>Who gets a frame may close the way to its peer, or to others.
   */
  int drain(Peer peer, FrameReceiver receiver, int budget) {
    RingIn ring = peer.in;
    if (ring == null || peer.mute) {
      return 0;
    }
    int taken = 0;
    int most = peer.silent ? 1 : budget;
    try {
      while (taken < most && !peer.mute) {
        long word = ring.next();
        if (word == 0) {
          peer.silent = true;
          return taken;
        }
        if (!ring.isSound(word)) {
          peers.expel(peer, "its ring holds what is no frame: %x".formatted(word));
        } else if (RingSlot.kind(word) == RingSlot.INLINE) {
          taken++;
          lend(peer, ring, word, ring.memory, ring.frameAt(), receiver);
        } else if (RingSlot.kind(word) == RingSlot.PAD) {
          ring.take(word);
        } else if (follow(peer, ring, word, receiver)) {
          taken++;
        }
      }
      peer.silent = false;
    } finally {
      ring.tell();
      free(peer);
      if (ring.hasMadeRoom() || peer.madeRoom) {
        peer.madeRoom = false;
        peers.wakeForRoom(peer);
      }
      if (peer.inLimbo) {
        peers.delivered(peer);
      }
    }
    return taken;
  }

  private void free(Peer peer) {
    if (!peer.freeWaiting()) {
      peers.expel(peer, "it took back buffers that were ours");
    }
  }

  private void count(int length) {
    counters.add(NicCount.FRAMES_RECEIVED);
    counters.add(NicCount.BYTES_RECEIVED, length);
  }

  /** Follows a reference; false when there was no frame, for which the peer has to go. */
  private boolean follow(Peer peer, RingIn ring, long word, FrameReceiver receiver) {
    peer.madeRoom = true;
    long reference = ring.reference();
    return switch (RingSlot.kind(word)) {
      case RingSlot.GIVEN -> given(peer, ring, word, reference, receiver);
      case RingSlot.LENT -> lent(peer, ring, word, reference, receiver);
      default -> across(peer, ring, word, reference, receiver);
    };
  }

  private boolean given(Peer peer, RingIn ring, long word, long handle, FrameReceiver receiver) {
    int length = RingSlot.length(word);
    Pool theirs = peer.theirs;
    long at = theirs == null ? -1 : placeOf(theirs, handle, length);
    if (theirs == null || at < 0 || at > peer.segment.layout.ringsAt - length) {
      peers.expel(peer, "it gave a buffer that is not ours: %x".formatted(handle));
      return false;
    }
    deliver(peer, ring, word, theirs, handle, ring.memory, at, receiver);
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

  private boolean lent(Peer peer, RingIn ring, long word, long at, FrameReceiver receiver) {
    if (at < SharedSegment.POOL || at > peer.segment.layout.ringsAt - RingSlot.length(word)) {
      peers.expel(peer, "it lent memory outside its pool: %x".formatted(at));
      return false;
    }
    lend(peer, ring, word, ring.memory, at, receiver);
    return true;
  }

  private boolean across(Peer peer, RingIn ring, long word, long address, FrameReceiver receiver) {
    int length = RingSlot.length(word);
    if (length > own.layout.zoneBytes()) {
      peers.expel(peer, "it sent %d bytes, more than a buffer holds".formatted(length));
      return false;
    }
    long handle = pool.allocate(length);
    long place = handle == Pool.NONE ? -1 : pool.placeOf(handle);
    MemorySegment into = place < 0 ? landing() : own.memory;
    long at = Math.max(0, place);
    long read = peer.segment.readAcross(address, into, at, length);
    if (read != length) { // its process has ended, or it broke its promise
      if (place >= 0) {
        pool.free(handle);
      }
      counters.add(NicCount.LOST_ARRIVING);
      ring.take(word);
      peers.depart(peer, farewellOf(peer, read));
      return false;
    }
    counters.add(NicCount.READ_ACROSS);
    if (place < 0) {
      lend(peer, ring, word, into, at, receiver);
    } else {
      deliver(peer, ring, word, pool.pool, handle, into, at, receiver);
    }
    return true;
  }

  /** A process that ends has no memory any more while it still has its lock. */
  private static String farewellOf(Peer peer, long read) {
    if (read == -Errno.ESRCH) {
      return "its process has ended";
    }
    return peer.segment.isGone()
        ? peer.segment.farewell()
        : "its memory cannot be read across (%d)".formatted(read);
  }

  private MemorySegment landing() {
    MemorySegment memory = landing;
    if (memory == null) {
      memory = Arena.ofAuto().allocate(own.layout.zoneBytes(), Long.BYTES);
      landing = memory;
    }
    return memory;
  }

  /** Delivers a frame that cannot be kept. */
  private void lend(
      Peer peer, RingIn ring, long word, MemorySegment memory, long at, FrameReceiver receiver) {
    int length = RingSlot.length(word);
    count(length);
    try {
      receiver.onFrame(peer.number, memory, at, length, Nic.UNCLAIMABLE);
    } finally {
      ring.take(word);
    }
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
      FrameReceiver receiver) {
    int length = RingSlot.length(word);
    count(length);
    boolean theirs = holder == peer.theirs;
    int bytes = holder.layout().blocksOf(length) * holder.layout().blockBytes();
    long frame =
        theirs && peer.isKeptFull(bytes)
            ? Nic.UNCLAIMABLE
            : claims.offer(peer, holder, handle, bytes);
    try {
      receiver.onFrame(peer.number, memory, at, length, frame);
    } finally {
      ring.take(word);
      if (claims.settle()) {
        counters.add(NicCount.CLAIMED);
        if (theirs) {
          peer.kept(1, bytes);
        }
      } else {
        free(peer, holder, handle);
      }
    }
  }

  private void free(Peer peer, Pool holder, long handle) {
    if (holder == pool.pool) {
      pool.free(handle);
      return;
    }
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
    claims.release(frame);
  }

  private void released(Peer peer, Pool holder, long handle, int bytes) {
    if (holder == peer.theirs) {
      peer.kept(-1, -bytes);
    }
    free(peer, holder, handle);
    peers.wakeForRoom(peer);
    if (peer.inLimbo && peer.claims == 0) {
      peers.releaseLimbo();
    }
  }
}

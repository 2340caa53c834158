package io.busbar.fabric.shm;

import io.busbar.fabric.Nic;
import io.busbar.fabric.NicCount;
import io.busbar.fabric.NicCounters;
import io.busbar.fabric.Registrations;
import io.busbar.memory.Pool;
import io.busbar.memory.Role;
import io.busbar.wire.RingSlot;
import io.busbar.wire.SharedSegment;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Sending: short frames inside the ring, longer ones in a buffer of our pool that becomes the
 * receiver's, registered ones by their address, broadcasts by a loan.
 */
final class Outbound {
  /** A ticket: the peer's number 8 (plus one, never 0), which of its lives 8, unit 46. */
  private static final int UNIT_BITS = 46;

  private static final int LIFE_BITS = 8;

  private final OwnSegment own;
  private final ShmConfig config;
  private final Pool pool;
  private final PeerTable peers;
  private final NicCounters counters;
  private final Lent lent;
  private final int frameBytesMax;
  final Registrations registrations = new Registrations();

  /** What is reserved: for whom (null: nothing, or a broadcast), in which buffer (or none). */
  private @Nullable Peer reservedFor;

  private boolean reserved;
  private long reservedBuffer = Pool.NONE;
  private int reservedBytes;
  private boolean someDirty;

  Outbound(OwnSegment own, ShmConfig config, Pool pool, PeerTable peers, NicCounters counters) {
    this.own = own;
    this.config = config;
    this.pool = pool;
    this.peers = peers;
    this.counters = counters;
    this.lent = new Lent(pool);
    this.frameBytesMax = own.layout.zoneBytes();
  }

  int frameBytesMax() {
    return frameBytesMax;
  }

  // One peer.

  long reserve(int number, int length) {
    if (length < 1 || reserved) {
      throw refusal(length);
    }
    long result =
        number == Nic.EVERYONE ? reserveForAll(length) : reserveForOne(peers.get(number), length);
    if (result >= 0) {
      reserved = true;
      reservedBytes = length;
    } else {
      count(result);
    }
    return result;
  }

  private long reserveForOne(@Nullable Peer peer, int length) {
    RingOut ring = peer == null ? null : peers.ringTo(peer);
    if (ring == null || length > frameBytesMax) {
      return peer == null ? Nic.GONE : length > frameBytesMax ? Nic.TOO_LONG : Nic.FULL;
    }
    long at;
    if (length <= config.inlineBytesMax()) {
      if (!ring.makeRoom(length)) {
        return Nic.FULL;
      }
      at = ring.reserve(length);
    } else {
      at = ring.makeRoom(RingOut.REFERENCE_BYTES) ? allocate(length) : Nic.FULL;
    }
    if (at >= 0) {
      reservedFor = peer;
    }
    return at;
  }

  private long allocate(int length) {
    long handle = pool.allocate(length, Role.FABRIC);
    if (handle == Pool.NONE) {
      collect();
      handle = pool.allocate(length, Role.FABRIC);
    }
    if (handle == Pool.NONE) {
      return Nic.FULL;
    }
    reservedBuffer = handle;
    return SharedSegment.POOL + pool.offset(handle, Role.FABRIC);
  }

  private RuntimeException refusal(int length) {
    return reserved
        ? new IllegalStateException("a frame is reserved: commit or abandon it first")
        : new IllegalArgumentException("a frame of %d bytes".formatted(length));
  }

  private void count(long refusal) {
    counters.add(
        refusal == Nic.FULL
            ? NicCount.REFUSED_FULL
            : refusal == Nic.GONE ? NicCount.REFUSED_GONE : NicCount.REFUSED_TOO_LONG);
  }

  void commit(int length) {
    if (!reserved || length < 1 || length > reservedBytes) {
      throw new IllegalStateException(
          "commit of %d bytes; reserved: %d".formatted(length, reserved ? reservedBytes : 0));
    }
    reserved = false;
    Peer peer = reservedFor;
    long buffer = reservedBuffer;
    reservedFor = null;
    reservedBuffer = Pool.NONE;
    if (peer == null) {
      commitToAll(buffer, length);
      return;
    }
    RingOut ring = ring(peer);
    if (buffer == Pool.NONE) {
      ring.publishInline(length);
    } else {
      long given = pool.give(buffer, Role.FABRIC, Role.FABRIC, peer.participant());
      ring.publishReference(RingSlot.GIVEN, given, length);
    }
    sent(peer, length);
    counters.add(NicCount.COPIED);
  }

  private static RingOut ring(Peer peer) {
    RingOut ring = peer.out;
    if (ring == null) {
      throw new IllegalStateException("no ring to peer %d".formatted(peer.number));
    }
    return ring;
  }

  private void sent(Peer peer, int length) {
    peer.dirty = true;
    someDirty = true;
    counters.add(NicCount.FRAMES_SENT);
    counters.add(NicCount.BYTES_SENT, length);
  }

  void abandon() {
    Peer peer = reservedFor;
    if (reservedBuffer != Pool.NONE) {
      pool.free(reservedBuffer, Role.FABRIC);
    } else if (peer != null) {
      ring(peer).abandon();
    }
    reserved = false;
    reservedFor = null;
    reservedBuffer = Pool.NONE;
  }

  /** Sends from where the bytes are, or copies. */
  long transmit(int number, MemorySegment from, long offset, int length) {
    if (length >= config.acrossBytesMin() && registrations.contains(from, offset, length)) {
      long ticket = transmitAcross(number, from.address() + offset, length);
      if (ticket != Nic.DONE) {
        return ticket;
      }
    }
    long at = reserve(number, length);
    if (at >= 0) {
      MemorySegment.copy(from, offset, own.memory, at, length);
      commit(length);
      return Nic.DONE;
    }
    return at;
  }

  /** A ticket, or {@link Nic#DONE} when this way is closed and another must be taken. */
  private long transmitAcross(int number, long address, int length) {
    Peer peer = number == Nic.EVERYONE ? null : peers.get(number);
    RingOut ring = peer == null ? null : peer.out;
    if (peer == null || ring == null || ring.receiver() != SharedSegment.RING_OPEN_ACROSS) {
      return Nic.DONE;
    }
    if (length > Math.min(frameBytesMax, peer.segment.layout.zoneBytes())) {
      return Nic.DONE;
    }
    if (!ring.makeRoom(RingOut.REFERENCE_BYTES)) {
      count(Nic.FULL);
      return Nic.FULL;
    }
    ring.publishReference(RingSlot.ACROSS, address, length);
    sent(peer, length);
    counters.add(NicCount.IN_PLACE);
    return ticket(peer, ring.tail());
  }

  private static long ticket(Peer peer, long unit) {
    return (long) (peer.number + 1) << (UNIT_BITS + LIFE_BITS)
        | (long) peer.life << UNIT_BITS
        | unit;
  }

  /** A peer that is gone reads nothing any more. */
  boolean isComplete(long ticket) {
    if (ticket == Nic.DONE) {
      return true;
    }
    int number = (int) (ticket >>> (UNIT_BITS + LIFE_BITS)) - 1;
    int life = (int) (ticket >>> UNIT_BITS) & Peer.LIFE_MASK;
    Peer peer = peers.get(number);
    RingOut ring = peer == null || peer.life != life ? null : peer.out;
    return ring == null || ring.hasPassed(ticket & ((1L << UNIT_BITS) - 1));
  }

  long transfer(int number, long handle, Role from, int length) {
    if (length < 1 || length > pool.bytes(handle, from)) {
      throw new IllegalArgumentException(
          "a frame of %d bytes in a buffer of %d".formatted(length, pool.bytes(handle, from)));
    }
    if (number == Nic.EVERYONE) {
      return transferToAll(handle, from, length);
    }
    Peer peer = peers.get(number);
    RingOut ring = peer == null ? null : peers.ringTo(peer);
    if (peer == null || ring == null || !ring.makeRoom(RingOut.REFERENCE_BYTES)) {
      long refusal = peer == null ? Nic.GONE : Nic.FULL;
      count(refusal);
      return refusal;
    }
    long given = pool.give(handle, from, Role.FABRIC, peer.participant());
    ring.publishReference(RingSlot.GIVEN, given, length);
    sent(peer, length);
    counters.add(NicCount.IN_PLACE);
    return Nic.DONE;
  }

  // Everyone.

  /** Either all have room, or nobody gets it. */
  private boolean allHaveRoom(int bytesInRing) {
    for (Peer peer : peers.active) {
      if (peer.isOpen()) {
        RingOut ring = peers.ringTo(peer);
        if (ring == null || !ring.makeRoom(bytesInRing)) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean fitsIntoUnit(int length) {
    return RingSlot.units(length) == 1;
  }

  private long reserveForAll(int length) {
    if (length > frameBytesMax) {
      return Nic.TOO_LONG;
    }
    boolean small = fitsIntoUnit(length);
    if (!allHaveRoom(small ? length : RingOut.REFERENCE_BYTES)) {
      return Nic.FULL;
    }
    if (small) {
      return SharedSegment.SCRATCH;
    }
    collect();
    return lent.hasRoom() ? allocate(length) : Nic.FULL;
  }

  private void commitToAll(long buffer, int length) {
    counters.add(NicCount.COPIED);
    if (buffer != Pool.NONE) {
      lend(buffer, length);
      return;
    }
    for (Peer peer : peers.active) {
      RingOut ring = peer.out;
      if (peer.isOpen() && ring != null) {
        long at = ring.reserve(length);
        MemorySegment.copy(own.memory, SharedSegment.SCRATCH, own.memory, at, length);
        ring.publishInline(length);
        sent(peer, length);
      }
    }
  }

  private long transferToAll(long handle, Role from, int length) {
    collect();
    if (!lent.hasRoom() || !allHaveRoom(RingOut.REFERENCE_BYTES)) {
      count(Nic.FULL);
      return Nic.FULL;
    }
    lend(pool.give(handle, from, Role.FABRIC, SharedSegment.OWNER), length);
    counters.add(NicCount.IN_PLACE);
    return Nic.DONE;
  }

  private void lend(long handle, int length) {
    long at = SharedSegment.POOL + pool.offset(handle, Role.FABRIC);
    lent.begin(handle);
    for (Peer peer : peers.active) {
      RingOut ring = peer.out;
      if (peer.isOpen() && ring != null) {
        ring.publishReference(RingSlot.LENT, at, length);
        lent.reader(peer, ring.tail());
        sent(peer, length);
      }
    }
  }

  /** Frees the buffers of broadcasts that all have read. */
  void collect() {
    if (!lent.isEmpty()) {
      lent.collect(peers.active, peers.active.length);
    }
  }

  // The doorbell.

  /** Publishing was done already; the fence orders it before the look at who sleeps. */
  void flush() {
    if (!someDirty) {
      return;
    }
    someDirty = false;
    VarHandle.fullFence();
    for (Peer peer : peers.active) {
      if (peer.dirty) {
        peer.dirty = false;
        if (peer.segment.wake()) {
          counters.add(NicCount.BELLS);
        }
      }
    }
  }
}

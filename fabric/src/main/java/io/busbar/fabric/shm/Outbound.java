package io.busbar.fabric.shm;

import io.busbar.fabric.Nic;
import io.busbar.fabric.NicCount;
import io.busbar.fabric.NicCounters;
import io.busbar.fabric.Registrations;
import io.busbar.memory.Pool;
import io.busbar.memory.Role;
import io.busbar.wire.FrameBuilder;
import io.busbar.wire.RingSlot;
import io.busbar.wire.SharedSegment;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Sending: short frames inside the ring, longer ones in a buffer of our pool that becomes the
 * receiver's, registered ones by their address.
 */
final class Outbound {
  /** A ticket: the peer's number 8 (plus one, never 0), which of its lives 8, unit 46. */
  private static final int UNIT_BITS = 46;

  private static final int LIFE_BITS = 8;

  private final OwnSegment own;
  private final ShmConfig config;
  private final OwnPool pool;
  private final Broadcasts broadcasts;
  private final PeerTable peers;
  private final NicCounters counters;
  private final Doorbells doorbells;
  private final int frameBytesMax;
  final Registrations registrations = new Registrations();

  /** What is reserved: for whom (null: nothing, or a broadcast), in which buffer (or none). */
  private @Nullable Peer reservedFor;

  private final Shares shares;

  private boolean reserved;
  private boolean refused;
  private long reservedBuffer = Pool.NONE;
  private int reservedBytes;

  Outbound(
      OwnSegment own,
      ShmConfig config,
      OwnPool pool,
      Broadcasts broadcasts,
      PeerTable peers,
      NicCounters counters,
      Doorbells doorbells) {
    this.own = own;
    this.config = config;
    this.pool = pool;
    this.broadcasts = broadcasts;
    this.peers = peers;
    this.counters = counters;
    this.doorbells = doorbells;
    this.frameBytesMax = own.layout.zoneBytes();
    this.shares = new Shares(pool.pool);
  }

  int frameBytesMax() {
    return frameBytesMax;
  }

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
    if (peer == null) {
      return Nic.GONE;
    }
    if (length > frameBytesMax) {
      return Nic.TOO_LONG;
    }
    boolean inline = length <= config.inlineBytesMax();
    RingOut ring = peers.ringTo(peer);
    if (ring == null || !ring.makeRoom(inline ? length : RingOut.REFERENCE_BYTES)) {
      return peers.noRoom(peer);
    }
    long at = inline ? ring.reserve(length) : allocateFor(peer, length);
    if (at >= 0) {
      reservedFor = peer;
    }
    return at;
  }

  private long reserveForAll(int length) {
    if (length > frameBytesMax) {
      return Nic.TOO_LONG;
    }
    if (!broadcasts.makeRoom(length)) {
      return Nic.FULL;
    }
    return Broadcasts.isShort(length) ? SharedSegment.SCRATCH : allocate(length);
  }

  /** One that takes nothing leaves some of the pool for others, if there are any. */
  private long allocateFor(Peer peer, int length) {
    boolean alone = peers.active.length == 1;
    return alone || shares.allows(peer.participant(), length) ? allocate(length) : Nic.FULL;
  }

  private long allocate(int length) {
    long handle = broadcasts.allocate(length);
    long at = handle == Pool.NONE ? -1 : pool.placeOf(handle);
    if (at < 0) {
      return Nic.FULL;
    }
    reservedBuffer = handle;
    return at;
  }

  private RuntimeException refusal(int length) {
    return reserved
        ? new IllegalStateException("a frame is reserved: commit or abandon it first")
        : new IllegalArgumentException("a frame of %d bytes".formatted(length));
  }

  /** Whether something was refused, or found incomplete, for want of room since the last time. */
  boolean takeRefused() {
    boolean was = refused;
    refused = false;
    shares.lookAgain();
    return was;
  }

  /** Others may have given buffers back meanwhile. */
  void lookAgain() {
    shares.lookAgain();
  }

  private void count(long refusal) {
    refused |= refusal == Nic.FULL;
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
      long given = pool.give(buffer, peer.participant());
      if (given == Pool.NONE) {
        counters.add(NicCount.LOST_SENDING);
        return;
      }
      shares.gave(peer.participant(), reservedBytes);
      ring.publishReference(RingSlot.GIVEN, given, length);
    }
    doorbells.sent(peer, length);
    counters.add(NicCount.COPIED);
  }

  private void commitToAll(long buffer, int length) {
    if (buffer == Pool.NONE) {
      broadcasts.copy(length);
    } else {
      counters.add(NicCount.COPIED);
      broadcasts.lend(buffer, length);
    }
  }

  private static RingOut ring(Peer peer) {
    RingOut ring = peer.out;
    if (ring == null) {
      throw new IllegalStateException("no ring to peer %d".formatted(peer.number));
    }
    return ring;
  }

  void abandon() {
    Peer peer = reservedFor;
    if (reservedBuffer != Pool.NONE) {
      pool.free(reservedBuffer);
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
      Objects.checkFromIndexSize(offset, length, from.byteSize());
      long ticket = transmitAcross(number, from.address() + offset, length);
      if (ticket != Nic.DONE) {
        return ticket;
      }
    }
    long at = reserve(number, length);
    if (at < 0) {
      return at;
    }
    boolean copied = false;
    try {
      MemorySegment.copy(from, offset, own.memory, at, length);
      copied = true;
    } finally {
      finish(copied, length);
    }
    return Nic.DONE;
  }

  private void finish(boolean copied, int length) {
    if (copied) {
      commit(length);
    } else {
      abandon();
    }
  }

  /** Gathers a frame into the ring or a buffer. */
  long transmit(int number, FrameBuilder frame) {
    int length = frame.frameBytes();
    long at = reserve(number, length);
    if (at < 0) {
      return at;
    }
    boolean copied = false;
    try {
      frame.copyTo(own.memory, at);
      copied = true;
    } finally {
      finish(copied, length);
    }
    return Nic.DONE;
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
      long refusal = peers.noRoom(peer);
      count(refusal);
      return refusal;
    }
    ring.publishReference(RingSlot.ACROSS, address, length);
    doorbells.sent(peer, length);
    counters.add(NicCount.IN_PLACE);
    return ticket(peer, ring.tail());
  }

  private static long ticket(Peer peer, long unit) {
    return (long) (peer.number + 1) << (UNIT_BITS + LIFE_BITS)
        | (long) peer.life << UNIT_BITS
        | unit;
  }

  /** One that we have closed may still read what was sent before; one that is gone does not. */
  boolean isComplete(long ticket) {
    if (ticket == Nic.DONE) {
      return true;
    }
    int number = (int) (ticket >>> (UNIT_BITS + LIFE_BITS)) - 1;
    int life = (int) (ticket >>> UNIT_BITS) & Peer.LIFE_MASK;
    Peer peer = peers.known(number);
    RingOut ring = peer == null || peer.life != life ? null : peer.out;
    if (peer == null || ring == null || ring.hasPassed(ticket & ((1L << UNIT_BITS) - 1))) {
      return true;
    }
    boolean complete = peer.inLimbo && (peer.hasClosedItsEnd() || peer.segment.isDead());
    refused |= !complete;
    return complete;
  }

  long transfer(int number, long handle, Role from, int length) {
    int bytes = pool.pool.bytes(handle, from);
    if (length < 1 || length > bytes) {
      throw new IllegalArgumentException(
          "a frame of %d bytes in a buffer of %d".formatted(length, bytes));
    }
    if (number == Nic.EVERYONE) {
      long result = broadcasts.transfer(handle, from, length);
      if (result < 0) {
        count(result);
      }
      return result;
    }
    Peer peer = peers.get(number);
    RingOut ring = peer == null ? null : peers.ringTo(peer);
    if (peer == null || ring == null || !ring.makeRoom(RingOut.REFERENCE_BYTES)) {
      long refusal = peer == null ? Nic.GONE : peers.noRoom(peer);
      count(refusal);
      return refusal;
    }
    long given = pool.pool.give(handle, from, Role.FABRIC, peer.participant());
    shares.gave(peer.participant(), bytes);
    ring.publishReference(RingSlot.GIVEN, given, length);
    doorbells.sent(peer, length);
    counters.add(NicCount.IN_PLACE);
    return Nic.DONE;
  }
}

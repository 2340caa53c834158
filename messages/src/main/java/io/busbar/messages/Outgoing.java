package io.busbar.messages;

import io.busbar.node.Lane;
import io.busbar.wire.Records;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * What goes to one node. A lane that needs the bytes until they have arrived gets a copy in a ring
 * of memory, which it gives back in order. What a handler sent and could not leave waits here, and
 * goes before anything later. The driver's role is needed.
 */
final class Outgoing {
  private static final int RING_BYTES = 1 << 20;

  /** A message that waits. */
  private record Waiting(long header, MemorySegment bytes) {}

  final Lane lane;
  private final ArrayDeque<Waiting> deferred = new ArrayDeque<>();
  private @Nullable MemorySegment ring;

  // Positions count up for ever; the place is the position modulo the ring.
  private long written;
  private long free;

  /** Whether the lane took what it was offered last; looked at by those who wait. */
  volatile boolean sendable = true;

  Outgoing(Lane lane) {
    this.lane = lane;
  }

  /** Sends a message, if there is nothing before it; false when it has to wait. */
  boolean trySend(long header, MemorySegment from, long at) {
    return deferred.isEmpty() && offer(header, from, at);
  }

  private boolean offer(long header, MemorySegment from, long at) {
    int result = lane.copies() ? lane.trySend(header, from, at, 0) : offerCopy(header, from, at);
    sendable = result != Lane.REFUSED;
    return sendable;
  }

  private int offerCopy(long header, MemorySegment from, long at) {
    int length = Records.length(header);
    MemorySegment memory = ring();
    long place = written % RING_BYTES;
    long start = place + length <= RING_BYTES ? written : written + RING_BYTES - place;
    if (start + length - free > RING_BYTES) {
      return Lane.REFUSED;
    }
    long to = start % RING_BYTES;
    MemorySegment.copy(from, at, memory, to, length);
    int result = lane.trySend(header, memory, to, start + length);
    if (result == Lane.TAKEN) {
      written = start + length;
    }
    return result;
  }

  private MemorySegment ring() {
    MemorySegment memory = ring;
    if (memory == null) {
      memory = Arena.ofAuto().allocate(RING_BYTES, 64);
      ring = memory;
    }
    return memory;
  }

  /** The lane needs what was written up to here no longer. */
  void onReleased(long token) {
    free = Math.max(free, token);
    sendable = true;
  }

  /** Bytes that were sent or deferred and may not have arrived; 0 where the carrier keeps them. */
  long unsettledBytes() {
    long waiting = lane.copies() ? 0 : written - free;
    for (Waiting one : deferred) {
      waiting += Records.HEADER_BYTES + Records.length(one.header);
    }
    return waiting;
  }

  /** Keeps a message for later; its bytes are copied. */
  void defer(long header, MemorySegment from, long at) {
    MemorySegment copy = Arena.ofAuto().allocate(Math.max(1, Records.length(header)));
    MemorySegment.copy(from, at, copy, 0, Records.length(header));
    deferred.add(new Waiting(header, copy));
  }

  boolean hasDeferred() {
    return !deferred.isEmpty();
  }

  /** Sends what waits, as far as it can; bytes that left. */
  long sendDeferred() {
    long bytes = 0;
    Waiting next = deferred.peek();
    while (next != null && (lane.isEnded() || offer(next.header, next.bytes, 0))) {
      bytes += Records.HEADER_BYTES + Records.length(next.header);
      deferred.remove();
      next = deferred.peek();
    }
    return bytes;
  }
}

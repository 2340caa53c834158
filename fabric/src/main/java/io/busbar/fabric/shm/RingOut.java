package io.busbar.fabric.shm;

import io.busbar.wire.RingSlot;
import io.busbar.wire.SharedSegment;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A ring to one peer, in this process's segment. A frame is written in place and published by its
 * first word. Behind it the receiver finds a zero, or the first word of a frame of the last lap,
 * whose serial says so; what else a frame may have left there is zeroed before. So neither end
 * writes a line that the frame itself does not need. Room is judged by the head as it was last
 * seen; it is read again only when that says full.
 */
final class RingOut {
  /** What a reference takes. */
  static final int REFERENCE_BYTES = Long.BYTES;

  private final MemorySegment memory;
  private final long ringAt;
  private final long slotsAt;
  private final int capacity;
  private long tail;
  private long head;

  /** Units that do not begin with zero or with a first word of the last lap. */
  private final boolean[] littered;

  /** Units that were given to be written, beginning at the tail. */
  private int open;

  private boolean broken;

  /**
   * The sender's end.
   *
   * @param tail units that were published, and taken, before
   */
  RingOut(MemorySegment memory, long ringAt, int ringBytes, long tail) {
    this.memory = memory;
    this.ringAt = ringAt;
    this.slotsAt = ringAt + SharedSegment.RING_SLOTS;
    this.capacity = ringBytes / RingSlot.UNIT_BYTES;
    this.tail = tail;
    this.head = tail;
    this.littered = new boolean[capacity];
    Shared.release(memory, ringAt + SharedSegment.RING_SENDER, SharedSegment.RING_OPEN);
  }

  /** Whether a frame of so many bytes finds room now; the way is free up to it. */
  boolean makeRoom(int length) {
    int units = RingSlot.units(length);
    int index = (int) tail & (capacity - 1);
    int pad = index + units > capacity ? capacity - index : 0;
    if (tail + pad + units - head > capacity
        && !(refresh() && tail + pad + units - head <= capacity)) {
      return false;
    }
    if (pad > 0) {
      litter(pad);
      publish(RingSlot.PAD, pad, pad);
    }
    return true;
  }

  /** Reads the receiver's head; false when it cannot be true. */
  private boolean refresh() {
    long seen = Shared.acquire(memory, ringAt + SharedSegment.RING_HEAD);
    if (seen < head || seen > tail) {
      broken = true;
      return false;
    }
    head = seen;
    return true;
  }

  /** Whether the receiver's head was seen where it cannot be. */
  boolean isBroken() {
    return broken;
  }

  /** Where a reference goes, after {@link #makeRoom}. */
  private long frameAt() {
    return slotAt(tail) + RingSlot.WORD_BYTES;
  }

  /** Gives room for a frame's bytes, after {@link #makeRoom}. */
  long reserve(int length) {
    open = RingSlot.units(length);
    return frameAt();
  }

  /** Gives the room back. */
  void abandon() {
    litter(open);
    open = 0;
  }

  /** So many units from the tail on hold anything, but for the first. */
  private void litter(int units) {
    int first = (int) tail & (capacity - 1);
    for (int i = 1; i < units; i++) {
      littered[first + i] = true;
    }
  }

  private long slotAt(long unit) {
    return slotsAt + ((unit & (capacity - 1)) * RingSlot.UNIT_BYTES);
  }

  /** Publishes the first bytes of what was reserved. */
  void publishInline(int length) {
    litter(open);
    open = 0;
    publish(RingSlot.INLINE, length, RingSlot.units(length));
  }

  /** Publishes a reference. */
  void publishReference(int kind, long where, int length) {
    memory.set(ValueLayout.JAVA_LONG, frameAt(), where);
    publish(kind, length, 1);
  }

  private void publish(int kind, int length, int units) {
    int next = (int) (tail + units) & (capacity - 1);
    if (littered[next]) {
      littered[next] = false;
      Shared.plain(memory, slotAt(next), 0);
    }
    Shared.release(memory, slotAt(tail), RingSlot.word(kind, length, tail));
    tail += units;
  }

  /** Units published so far. */
  long tail() {
    return tail;
  }

  /** Whether the receiver has taken all units below. */
  boolean hasPassed(long unit) {
    return head >= unit || (refresh() && head >= unit);
  }

  /** What the receiver says: unused until it has found the ring, then open, then closed. */
  long receiver() {
    return Shared.acquire(memory, ringAt + SharedSegment.RING_RECEIVER);
  }

  /** Whether the receiver has not found the ring yet. */
  boolean isUnread() {
    return receiver() == SharedSegment.RING_UNUSED;
  }

  /** Tells the receiver that nothing follows. */
  void close() {
    Shared.fenced(memory, ringAt + SharedSegment.RING_SENDER, SharedSegment.RING_CLOSED);
  }
}

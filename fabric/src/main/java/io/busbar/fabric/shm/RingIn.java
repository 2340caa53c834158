package io.busbar.fabric.shm;

import io.busbar.wire.RingSlot;
import io.busbar.wire.SharedSegment;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A ring from one peer, in the peer's segment. The receiver writes nothing there but its head,
 * which tells the sender that the room is free: behind the last frame is a zero, or a first word of
 * the last lap.
 */
final class RingIn {
  /** The head is told after so much of the ring, and at the end of a poll. */
  private static final int TELL_SHARE = 4;

  final MemorySegment memory;
  private final long ringAt;
  private final long slotsAt;
  private final int capacity;
  private long head;
  private long told;
  private long askedAt;

  /**
   * The receiver's end.
   *
   * @param head units that were taken before
   */
  RingIn(MemorySegment memory, long ringAt, int ringBytes, long head) {
    this.memory = memory;
    this.ringAt = ringAt;
    this.slotsAt = ringAt + SharedSegment.RING_SLOTS;
    this.capacity = ringBytes / RingSlot.UNIT_BYTES;
    this.head = head;
    this.told = head;
    this.askedAt = head;
  }

  /** Tells the sender that somebody takes, and whether its memory can be read across. */
  void open(boolean across) {
    Shared.release(
        memory,
        ringAt + SharedSegment.RING_RECEIVER,
        across ? SharedSegment.RING_OPEN_ACROSS : SharedSegment.RING_OPEN);
  }

  /** The first word of the next frame; 0 when there is none. */
  long next() {
    long word = Shared.acquire(memory, slotAt());
    boolean old = RingSlot.isFor(word, head - capacity) && RingSlot.kind(word) != 0;
    return old ? 0 : word;
  }

  private long slotAt() {
    return slotsAt + ((head & (capacity - 1)) * RingSlot.UNIT_BYTES);
  }

  /** Where the next frame's bytes are, or the reference to them. */
  long frameAt() {
    return slotAt() + RingSlot.WORD_BYTES;
  }

  /** The reference that the next frame is. */
  long reference() {
    return memory.get(ValueLayout.JAVA_LONG, frameAt());
  }

  /**
   * Whether a word can be true: written for this place, of a known kind, inside the ring. No pad
   * begins the ring, so that two never follow each other and a look always ends.
   */
  boolean isSound(long word) {
    int length = RingSlot.length(word);
    int left = capacity - ((int) head & (capacity - 1));
    boolean fits =
        switch (RingSlot.kind(word)) {
          case RingSlot.INLINE -> RingSlot.units(length) <= left;
          case RingSlot.PAD -> length == left && left < capacity;
          case RingSlot.GIVEN, RingSlot.LENT, RingSlot.ACROSS -> true;
          default -> false;
        };
    return fits && length > 0 && length < Integer.MAX_VALUE / 2 && RingSlot.isFor(word, head);
  }

  /** Takes the frame whose first word this is. */
  void take(long word) {
    int units =
        switch (RingSlot.kind(word)) {
          case RingSlot.INLINE -> RingSlot.units(RingSlot.length(word));
          case RingSlot.PAD -> RingSlot.length(word);
          default -> 1;
        };
    head += units;
    if (head - told >= capacity / TELL_SHARE) {
      tell();
    }
  }

  /** Tells the sender how far we are. */
  void tell() {
    if (told != head) {
      told = head;
      Shared.release(memory, ringAt + SharedSegment.RING_HEAD, head);
    }
  }

  /**
   * Whether so much was taken since the last time that a sender may wait for it. A quarter of the
   * ring: it waits for at most two, and whoever takes them passes such a place after it has said
   * that it waits.
   */
  boolean hasMadeRoom() {
    boolean much = head - askedAt >= capacity / TELL_SHARE;
    askedAt = much ? head : askedAt;
    return much;
  }

  /** Whether the sender has closed it; frames may still be inside. */
  boolean isClosed() {
    return Shared.acquire(memory, ringAt + SharedSegment.RING_SENDER) == SharedSegment.RING_CLOSED;
  }

  /** Tells the sender that nobody takes any more. */
  void close() {
    tell();
    Shared.fenced(memory, ringAt + SharedSegment.RING_RECEIVER, SharedSegment.RING_CLOSED);
  }
}

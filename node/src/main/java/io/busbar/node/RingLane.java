package io.busbar.node;

import io.busbar.fabric.Nic;
import io.busbar.wire.Blocked;
import io.busbar.wire.Records;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A lane over a carrier that is reliable by itself: a frame is a record. The receiver's credit is a
 * window of bytes that it has not dealt with yet; it tells how far it is when a quarter was dealt
 * with. A record that does not fit goes when so little is on its way that the receiver need not
 * have told of it.
 */
final class RingLane extends Lane {
  private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;

  /** The receiver tells how far it is after such a share of the window. */
  private static final int TELL_SHARE = 4;

  private final Engine engine;
  private final Nic nic;
  private final int number;
  private final long windowBytes;
  private final Runnable placed;

  // What we send.
  private long sent;
  private long dealtWith;
  private boolean refused;

  // What we receive.
  private long done;
  private long told;

  /**
   * A lane.
   *
   * @param placed told when something was placed that a flush lets go
   */
  RingLane(Engine engine, int peer, Nic nic, int number, long windowBytes, Runnable placed) {
    super(peer);
    this.engine = engine;
    this.nic = nic;
    this.number = number;
    this.windowBytes = windowBytes;
    this.placed = placed;
  }

  @Override
  public boolean copies() {
    return true;
  }

  @Override
  public String fabric() {
    return nic.fabric();
  }

  private static int frameBytes(int length) {
    return Records.HEADER_BYTES + length;
  }

  @Override
  public int trySend(long header, MemorySegment from, long at, long token) {
    int length = Records.length(header);
    int bytes = frameBytes(length);
    long onTheWay = sent - dealtWith;
    if (isEnded() || (onTheWay + bytes > windowBytes && onTheWay >= windowBytes / TELL_SHARE)) {
      refused = true;
      refused(Blocked.NO_CREDIT);
      return REFUSED;
    }
    long place = nic.reserve(number, bytes);
    if (place < 0) {
      refused = true;
      refused(Blocked.RING_FULL);
      engine.retrySoon(this);
      return REFUSED;
    }
    write(place, header, from, at, length);
    sent += bytes;
    sent(length);
    placed.run();
    return DONE;
  }

  /** A place that was reserved is given back when the bytes cannot be read. */
  private void write(long place, long header, MemorySegment from, long at, int length) {
    MemorySegment memory = nic.transmitMemory();
    boolean copied = false;
    try {
      memory.set(WORD, place, header);
      MemorySegment.copy(from, at, memory, place + Records.HEADER_BYTES, length);
      copied = true;
    } finally {
      if (copied) {
        nic.commit(frameBytes(length));
      } else {
        nic.abandon();
      }
    }
  }

  @Override
  public void done(int length) {
    done += frameBytes(length);
    if (done - told >= windowBytes / TELL_SHARE) {
      tell();
    }
  }

  /** Tells the sender how far we are; later, if there is no room now. */
  private void tell() {
    long place = isEnded() ? Nic.GONE : nic.reserve(number, frameBytes(Long.BYTES));
    if (place >= 0) {
      MemorySegment memory = nic.transmitMemory();
      memory.set(WORD, place, Records.header(Records.CREDIT, 0, 0, Long.BYTES));
      memory.set(WORD, place + Records.HEADER_BYTES, done);
      nic.commit(frameBytes(Long.BYTES));
      told = done;
      placed.run();
    } else if (place == Nic.FULL) {
      engine.retrySoon(this);
    }
  }

  /** What could not be done for want of room is tried again. */
  void retry() {
    if (done - told >= windowBytes / TELL_SHARE) {
      tell();
    }
    onRoom();
  }

  private void onRoom() {
    if (refused && !isEnded()) {
      refused = false;
      engine.happened();
      engine.user().onSendable(this);
    }
  }

  /** A frame of the peer's; false when it is no record. */
  boolean onFrame(MemorySegment memory, long at, int length) {
    if (length < Records.HEADER_BYTES) {
      return false;
    }
    long header = memory.get(WORD, at);
    int bytes = Records.length(header);
    boolean fits = bytes == length - Records.HEADER_BYTES && bytes <= RECORD_BYTES_MAX;
    if (!Records.isSound(header) || !fits) {
      return false;
    }
    if (isMessage(header)) {
      received(bytes);
      engine.user().onRecord(this, header, memory, at + Records.HEADER_BYTES, bytes);
      return true;
    }
    boolean credit = Records.kind(header) == Records.CREDIT && bytes == Long.BYTES;
    long now = credit ? memory.get(WORD, at + Records.HEADER_BYTES) : -1;
    if (now < dealtWith || now > sent) {
      return false;
    }
    dealtWith = now;
    onRoom();
    return true;
  }

  @Override
  long onTheWayBytes() {
    return sent - dealtWith;
  }
}

package io.busbar.node;

import io.busbar.transport.Service;
import io.busbar.transport.Transport;
import io.busbar.wire.RecordReader;
import java.lang.foreign.MemorySegment;

/**
 * Records to and from a peer in streams of the transport's. What is written goes through one
 * association, and what is read comes from one; they may be the same.
 */
abstract sealed class QmpStream implements RecordReader.Sink permits LaneStream, BodyStream {
  private static final long NONE = 0;

  private final QmpLane lane;
  private final int port;
  private final boolean shared;
  private final long parkedBytesMax;
  private final RecordReader reader = new RecordReader();
  private long writing = NONE;
  private long accepted = NONE;
  private long reading = NONE;

  // Bytes of the peer's stream: that have come, that our user has dealt with, and for which the
  // transport was told that there is room again.
  private long arrived;
  private long done;
  private long told;
  private boolean unusable;

  /**
   * A stream.
   *
   * @param port which one of the lane's
   * @param shared whether we write to the association that the peer opened, if it opened one first
   * @param parkedBytesMax what may wait for our user beyond the transport's own window
   */
  QmpStream(QmpLane lane, int port, boolean shared, long parkedBytesMax) {
    this.lane = lane;
    this.port = port;
    this.shared = shared;
    this.parkedBytesMax = parkedBytesMax;
  }

  final QmpLane lane() {
    return lane;
  }

  private Transport transport() {
    return lane.engine().transport();
  }

  /** Whether there is an association to write to. */
  final boolean isOpen() {
    return writing != NONE || (shared && accepted != NONE);
  }

  final boolean trySend(long record, MemorySegment from, long at, long token) {
    Engine engine = lane.engine();
    if (writing == NONE) {
      writing = shared && accepted != NONE ? accepted : open();
    }
    boolean taken =
        transport().trySendRecord(engine.sendTimeNs(), writing, record, from, at, token);
    engine.transportIsDue();
    return taken;
  }

  /** What was given leaves, though no more follows soon. */
  final void push() {
    transport().flush(lane.engine().sendTimeNs(), writing);
  }

  private long open() {
    Engine engine = lane.engine();
    long opened =
        transport()
            .open(engine.nowNs(), lane.peer(), Engine.PROTO_LANE, Service.STREAM, port, port, 0, 0);
    engine.own(opened, this);
    favor(opened);
    return opened;
  }

  /** The peer has opened an association for its records. */
  final void onAccepted(long association) {
    accepted = association;
    favor(association);
  }

  /** Records are heard though bodies wait for their handlers: they may wait for records. */
  private void favor(long association) {
    if (shared) {
      transport().favor(association);
    }
  }

  /** Whether the peer has opened one already: it needs no second. */
  final boolean hasAccepted() {
    return accepted != NONE;
  }

  /** An association is over; whether it was one of this stream's. */
  final boolean onOver(long association) {
    boolean known = association == writing || association == accepted;
    writing = association == writing ? NONE : writing;
    accepted = association == accepted ? NONE : accepted;
    return known;
  }

  /** Ends what is open, so that the peer hears of it. */
  final void abort() {
    long now = lane.engine().nowNs();
    long first = writing;
    long second = accepted == first ? NONE : accepted;
    writing = NONE;
    accepted = NONE;
    if (first != NONE) {
      transport().abort(now, first);
    }
    if (second != NONE) {
      transport().abort(now, second);
    }
    lane.engine().transportIsDue();
  }

  /** Bytes of the stream were dealt with; the transport is told at {@link #tell}. */
  final void dealtWith(long bytes) {
    done += bytes;
  }

  /** Tells the transport how much room there is again. */
  final void tell() {
    long room = Math.min(arrived, done + parkedBytesMax);
    if (room > told && !lane.isEnded()) {
      transport().consumed(lane.engine().nowNs(), reading, room - told);
      told = room;
      lane.engine().transportIsDue();
    }
  }

  /** The peer sent what does not belong here. */
  final void refuse() {
    unusable = true;
  }

  final boolean isUnusable() {
    return unusable;
  }

  /** Bytes of the peer's stream; false when they are no records that belong here. */
  final boolean onBytes(long association, MemorySegment memory, long at, int bytes) {
    if (reading == NONE) {
      reading = association;
    }
    if (association != reading || !reader.feed(memory, at, bytes, this) || unusable) {
      return false;
    }
    arrived += bytes;
    tell();
    return true;
  }
}

package io.busbar.node;

import io.busbar.transport.Service;
import io.busbar.transport.Transport;
import io.busbar.wire.Blocked;
import io.busbar.wire.RecordReader;
import java.lang.foreign.MemorySegment;

/**
 * Records to and from a peer in streams of the transport's. What is written goes through one
 * association, and what is read comes from one. If they may be the same, they are so before long:
 * of two who began at once the one with the higher id writes to the other's association as soon as
 * all that it wrote to its own has arrived.
 */
abstract sealed class QmpStream implements RecordReader.Sink permits LaneStream, BodyStream {
  private static final long NONE = 0;

  private final QmpLane lane;
  private final int port;
  private final boolean shared;
  private final long parkedBytesMax;
  private final RecordReader reader = new RecordReader();
  private long opened = NONE;
  private long accepted = NONE;
  private long writing = NONE;
  private long reading = NONE;

  // Bytes of the peer's stream: that have come, that our user has dealt with, and for which the
  // transport was told that there is room again.
  private long arrived;
  private long done;
  private long told;
  private boolean unusable;

  /** Of two associations one is left: when we may write to it; when it is read instead. */
  private boolean movesWriting;

  private boolean movesReading;

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

  /** Which flow of the lane's. */
  final int flow() {
    return port - Engine.PORT_LANE;
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
    } else if (movesWriting && transport().isSettled(writing)) {
      movesWriting = false;
      writing = accepted;
    }
    boolean taken =
        transport().trySendRecord(engine.sendTimeNs(), writing, record, from, at, token);
    engine.transportIsDue();
    return taken;
  }

  /** Why what was given does not leave. */
  final Blocked heldBackBy() {
    return transport().heldBackBy(writing);
  }

  /** What was given is taken again, or has arrived. */
  final void onRoom() {
    lane.eased(flow(), Blocked.QUEUE_FULL);
  }

  /** What was given leaves, though no more follows soon. */
  final void push() {
    transport().flush(lane.engine().sendTimeNs(), writing);
  }

  private long open() {
    Engine engine = lane.engine();
    opened =
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
    boolean both = shared && opened != NONE;
    movesWriting = both && lane.engine().config().transport().node() > lane.peer();
    movesReading = both && !movesWriting;
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
    boolean known = association == opened || association == accepted;
    writing = association == writing ? NONE : writing;
    opened = association == opened ? NONE : opened;
    accepted = association == accepted ? NONE : accepted;
    return known;
  }

  /** Ends what is open, so that the peer hears of it. */
  final void abort() {
    long now = lane.engine().nowNs();
    long first = opened;
    long second = accepted;
    writing = NONE;
    opened = NONE;
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

  /** The peer writes to our association from now on: it knows that all else was read. */
  private void moveReading() {
    movesReading = false;
    transport().consumed(lane.engine().nowNs(), reading, arrived - told);
    told = arrived;
    reading = opened;
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
    } else if (movesReading && association == opened && reader.isAtBoundary()) {
      moveReading();
    }
    if (association != reading || !reader.feed(memory, at, bytes, this) || unusable) {
      return false;
    }
    arrived += bytes;
    tell();
    return true;
  }
}

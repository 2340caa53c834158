package io.busbar.transport;

import io.busbar.wire.ControlBlock;
import io.busbar.wire.Format;
import io.busbar.wire.FrameView;
import io.busbar.wire.Incarnation;
import io.busbar.wire.Key;
import io.busbar.wire.Options;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One end of an association that carries datagrams: numbered, never repeated, never acknowledged.
 * The receiver drops doubles by a window of 64 numbers. Until the responder has answered, every
 * datagram leaves in a FIRST of its own; until its life is known, an empty FIRST asks for it.
 */
final class DatagramAssociation extends Association {
  private static final int CLOSES = FLAGS_OWN;
  private static final int ASKS_LIFE = FLAGS_OWN << 1;
  private static final int WANTS_ROOM = FLAGS_OWN << 2;
  private static final int TRIES_MAX = 16;

  private @Nullable SendQueue queue;
  private long next;
  private long queued;
  private long highest = -1;
  private long seen;
  private long sentBytes;
  private int tries;

  DatagramAssociation(Path path, int proto, long localKey) {
    super(path, proto, localKey);
  }

  @Override
  boolean trySend(
      MemorySegment segment, long at, int length, long token, boolean endsMessage, long nowNs) {
    if (is(CLOSES)) {
      throw new TransportException(
          TransportException.Mistake.WRITE_CLOSED,
          "association %s is closed for writing".formatted(Key.text(localKey)));
    }
    if (length > core().firstBytesMax) {
      throw new TransportException(
          TransportException.Mistake.BAD_ARGUMENT,
          "a datagram of %d bytes; the most is %d".formatted(length, core().firstBytesMax));
    }
    SendQueue waiting = queue;
    if (waiting == null) {
      waiting = core().parts.queue();
      queue = waiting;
    }
    if (waiting.size() >= core().config.sendQueueMax()) {
      flags |= WANTS_ROOM;
      return false;
    }
    queued = waiting.add(queued, segment, at, length, token, 0, true);
    path.makeReady(this);
    return true;
  }

  @Override
  void onData(FrameView view, long nowNs) {
    noteKeyUse(view);
    noteAnswer(0, nowNs);
    if (isOver()) {
      answerFarewell(view, nowNs);
      return;
    }
    if (view.has(Options.SREQ)) {
      oweFullStatus(nowNs);
    }
    if (view.dataLength() == 0) {
      return;
    }
    if (isDouble(view.seq())) {
      core().counters.add(Count.DROP_DUPLICATE);
      return;
    }
    core().counters.add(Count.BYTES_DELIVERED, view.dataLength());
    core()
        .upcalls
        .onBytes(localKey, view.segment(), view.dataAt(), view.dataLength(), view.has(Options.EOM));
  }

  /** Whether the number was seen, or is too old to tell; remembers it. */
  private boolean isDouble(long number) {
    if (number > highest) {
      long ahead = number - highest;
      seen = ahead >= Long.SIZE ? 1 : seen << ahead | 1;
      highest = number;
      return false;
    }
    long behind = highest - number;
    if (behind >= Long.SIZE || (seen & 1L << behind) != 0) {
      return true;
    }
    seen |= 1L << behind;
    return false;
  }

  @Override
  void onControl(FrameView view, long nowNs) {
    long key = ControlBlock.ownKey(view);
    if (!isKeyOfPeer(key)) {
      core().counters.add(Count.DROP_WRONG_INCARNATION);
      return;
    }
    noteKeyUse(view);
    noteAnswer(key, nowNs);
    if (view.has(Options.END) && !isOver()) {
      end(nowNs, Ending.DISSOLVED, 0);
    }
    if (isOver()) {
      answerFarewell(view, nowNs);
    } else if (view.has(Options.SREQ)) {
      noteRequest(view);
      oweFullStatus(nowNs);
    }
  }

  @Override
  Emitted emit(long nowNs) {
    if (isOver()) {
      return Emitted.NOTHING;
    }
    Opening first = opening;
    boolean lifeUnknown = first != null && path.incarnation == Incarnation.UNKNOWN;
    SendQueue waiting = queue;
    if (lifeUnknown ? is(ASKS_LIFE) : waiting == null) {
      return finish(nowNs);
    }
    if (!path.mayPace(nowNs)) {
      return Emitted.PATH_FULL;
    }
    Core core = core();
    core.frame.begin();
    int options = first == null ? 0 : Options.SREQ;
    int bytes = 0;
    if (first != null) {
      writeFirst(first);
    }
    if (waiting != null && !lifeUnknown) {
      bytes = waiting.fill(core.frame, sentBytes, queued, path.payloadBytesMax());
      options |= Options.EOM;
    }
    int format = first == null ? Format.DATA : Format.FIRST;
    if (!transmit(format, next, 0, 0, options, Count.DATA_OUT)) {
      return Emitted.SINK_FULL;
    }
    path.onPaced();
    if (lifeUnknown) {
      flags |= ASKS_LIFE;
      tries++;
      core.heap.set(this, nowNs + Math.min(core.config.rtoMaxNs(), timeoutNs()));
    } else if (waiting != null) {
      next++;
      sentBytes += bytes;
      release(waiting, sentBytes, Release.SENT);
    }
    return Emitted.SENT;
  }

  /** Gives buffers back; the queue itself goes when it is empty. */
  private void release(SendQueue waiting, long upTo, Release how) {
    waiting.release(upTo, this, how);
    if (waiting.size() == 0 && queue != null) {
      queue = null;
      core().parts.retire(waiting);
    }
    if (is(WANTS_ROOM) && !isOver()) {
      flags &= ~WANTS_ROOM;
      core().upcalls.onSendable(localKey);
    }
  }

  private long timeoutNs() {
    return Math.max(core().config.rtoMinNs(), path.roundTrip.timeoutNs()) << Math.min(tries, 10);
  }

  /** Everything has left; a closing association is over then. */
  private Emitted finish(long nowNs) {
    if (is(CLOSES) && queue == null) {
      end(nowNs, Ending.DISSOLVED, 0);
    }
    return Emitted.NOTHING;
  }

  @Override
  void closeWrite(long nowNs) {
    flags |= CLOSES;
    path.makeReady(this);
  }

  @Override
  void closeRead(long nowNs) {
    closeWrite(nowNs);
  }

  @Override
  void repeatFirst() {
    flags &= ~ASKS_LIFE;
    path.makeReady(this);
  }

  @Override
  void onAnswered(long nowNs) {
    path.makeReady(this);
  }

  @Override
  long dropState() {
    long bytes = queued - sentBytes;
    SendQueue waiting = queue;
    if (waiting != null) {
      release(waiting, Long.MAX_VALUE, Release.UNDELIVERED);
    }
    return bytes;
  }

  @Override
  boolean needsFullStatus() {
    return true;
  }

  @Override
  boolean answer(long nowNs) {
    if (opening != null) {
      return true;
    }
    Core core = core();
    core.frame.begin();
    long at = core.frame.reserve(ControlBlock.BYTES);
    int delay = core.config.ackDelayUs();
    ControlBlock.write(core.frame.scratch(), at, 0, 0, localKey, 0, echo, 0, delay, 0);
    int options = (is(ASKS_STATUS) ? Options.SREQ : 0) | (isOver() ? Options.END : 0);
    if (!transmit(Format.CNTL, 0, 0, 0, options, Count.STATUS_OUT)) {
      return false;
    }
    flags &= ~(ASKS_STATUS | FULL_STATUS);
    return true;
  }

  /** Nobody has told this association which life the peer lives; another may have learnt it. */
  @Override
  void onOwnDeadline(long nowNs) {
    if (path.incarnation == Incarnation.UNKNOWN && tries > TRIES_MAX) {
      end(nowNs, Ending.PEER_SILENT, 0);
    } else if (opening != null) {
      repeatFirst();
    }
  }
}

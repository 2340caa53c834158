package io.busbar.transport;

import io.busbar.wire.Blocked;
import io.busbar.wire.ControlBlock;
import io.busbar.wire.FrameView;
import io.busbar.wire.Header;
import io.busbar.wire.Key;
import io.busbar.wire.Options;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One end of a reliable stream in each direction. At rest it is only these fields; {@link
 * StreamOut} and {@link StreamIn} are there while something moves.
 */
final class StreamAssociation extends Association {
  private static final int READ_ENDED = FLAGS_OWN;
  private static final int READ_CLOSED = FLAGS_OWN << 1;
  private static final int WRITE_CLOSED = FLAGS_OWN << 2;
  private static final int WRITE_ENDED = FLAGS_OWN << 3;
  private static final int FAVORED = FLAGS_OWN << 4;

  /** The first byte that the peer has not acknowledged. */
  long acked;

  /** The byte that may not be sent yet. */
  long edge;

  /** When data last left: a credit that was not used for a while has expired. */
  long dataLeftNs;

  /** The next byte that is expected. */
  long rseq;

  /** Number of the newest status request that was sent. */
  int sync;

  private final short statusEvery;
  private long undelivered;
  private @Nullable StreamOut out;
  private @Nullable StreamIn in;

  StreamAssociation(Path path, int proto, long localKey, int statusEvery) {
    super(path, proto, localKey);
    this.statusEvery = (short) statusEvery;
  }

  @Override
  void initiate(Opening first, long nowNs) {
    super.initiate(first, nowNs);
    out(nowNs);
  }

  /** Its window may come from what is kept for such as this. */
  void favor() {
    flags |= FAVORED;
  }

  boolean isFavored() {
    return is(FAVORED);
  }

  int statusEvery() {
    return statusEvery & 0xFFFF;
  }

  int payloadBytesMax() {
    return path.payloadBytesMax();
  }

  /** The credit of a stream at rest: one frame, in whole units, so that a header can tell it. */
  int restBytes() {
    return core().restBytes;
  }

  long bytesDelivered() {
    return is(READ_ENDED) ? rseq - 1 : rseq;
  }

  // The user's side.

  @Override
  boolean trySend(
      MemorySegment segment, long at, int length, long token, boolean endsMessage, long nowNs) {
    return trySend(segment, at, length, token, 0, endsMessage, nowNs);
  }

  boolean trySend(
      MemorySegment segment, long at, int length, long token, long header, boolean ends, long now) {
    if (is(WRITE_CLOSED) || is(WRITE_ENDED)) {
      throw new TransportException(
          TransportException.Mistake.WRITE_CLOSED,
          "association %s is closed for writing".formatted(Key.text(localKey)));
    }
    boolean taken = out(now).trySend(this, segment, at, length, token, header, ends, now);
    if (taken) {
      path.makeReady(this);
    }
    return taken;
  }

  void flush() {
    StreamOut sending = out;
    if (sending != null) {
      sending.flush();
      path.makeReady(this);
    }
  }

  /** Bytes that the user still holds when it stops reading are its own: nobody waits for them. */
  void consumed(long bytes, long nowNs) {
    if (is(READ_CLOSED)) {
      return;
    }
    StreamIn receiving = in;
    long held = receiving == null ? 0 : bytesDelivered() - receiving.consumed;
    if (bytes < 0 || bytes > held) {
      throw new TransportException(
          TransportException.Mistake.NOT_OWNED,
          "%d bytes of association %s were given back, %d are held"
              .formatted(bytes, Key.text(localKey), held));
    }
    if (receiving != null) {
      if (receiving.onConsumed(this, bytes) && !is(READ_ENDED)) {
        oweStatus(nowNs); // data that goes back takes the news along
      }
      retime();
    }
  }

  @Override
  void closeWrite(long nowNs) {
    if (!is(WRITE_CLOSED) && !is(WRITE_ENDED)) {
      flags |= WRITE_CLOSED;
      out(nowNs).close(nowNs);
      path.makeReady(this);
    }
  }

  @Override
  void closeRead(long nowNs) {
    if (!is(READ_CLOSED)) {
      flags |= READ_CLOSED;
      detachIn();
      oweFullStatus(nowNs);
      dissolveIfClosed(nowNs);
      retime();
    }
  }

  // Frames that come.

  @Override
  void onData(FrameView view, long nowNs) {
    long ack = Header.extend(view.rseqLow(), acked);
    if (!accepts(ack)) {
      return;
    }
    hear(ack, ack + view.creditBytes(), view, nowNs);
    noteAnswer(0, nowNs);
    if (isOver()) {
      answerFarewell(view, nowNs);
      return;
    }
    if (view.dataLength() > 0 || view.has(Options.WCLOSE)) {
      receive(view, nowNs);
    }
    if (view.has(Options.SREQ) && !isOver()) {
      oweStatus(nowNs);
    } else {
      oweStatusSoon(view, nowNs);
    }
    conclude(view, nowNs);
  }

  private void receive(FrameView view, long nowNs) {
    if (is(READ_CLOSED) && !is(READ_ENDED)) {
      core().counters.add(Count.DROP_READ_CLOSED);
      oweFullStatus(nowNs);
      return;
    }
    StreamIn receiving = in;
    if (receiving == null) {
      if (is(READ_ENDED)) {
        core().counters.add(Count.DROP_DUPLICATE);
        oweFullStatus(nowNs);
        return;
      }
      receiving = core().parts.in();
      if (!receiving.begin(this)) {
        core().counters.add(Count.DROP_NO_BUDGET);
        core().parts.retire(receiving);
        return;
      }
      in = receiving;
    }
    receiving.onBytes(this, view, nowNs);
  }

  @Override
  void onControl(FrameView view, long nowNs) {
    long ack = ControlBlock.rseq(view);
    long key = ControlBlock.ownKey(view);
    if (!isKeyOfPeer(key)) {
      core().counters.add(Count.DROP_WRONG_INCARNATION);
      return;
    }
    if (!accepts(ack)) {
      return;
    }
    path.peerAckDelayNs = ControlBlock.ackDelayUs(view) * 1000L;
    hear(ack, ControlBlock.alloc(view), view, nowNs);
    noteAnswer(key, nowNs);
    if (isOver()) {
      answerFarewell(view, nowNs);
      return;
    }
    if (view.has(Options.SREQ)) {
      noteRequest(view);
      oweFullStatus(nowNs);
    }
    conclude(view, nowNs);
  }

  /**
   * Refuses an acknowledgement of what was never sent, before anything changes. Once it is over,
   * nobody knows any more what was sent.
   */
  private boolean accepts(long ack) {
    StreamOut sending = out;
    long sent = sending == null ? acked : sending.next;
    if (ack > sent && !isOver()) {
      core().counters.add(Count.DROP_BAD_ACK);
      return false;
    }
    return true;
  }

  /** Takes what every frame says: what was received, and what may be sent. */
  private void hear(long ack, long allowed, FrameView view, long nowNs) {
    noteKeyUse(view);
    if (ack >= acked) {
      edge = hasCreditExpired(nowNs) ? Math.max(allowed, acked) : Math.max(edge, allowed);
    }
    StreamOut sending = out;
    if (sending != null) {
      sending.onHeard(nowNs);
      if (ack >= acked) {
        sending.onAcked(this, ack, view, nowNs);
      }
    }
  }

  boolean hasCreditExpired(long nowNs) {
    return nowNs - dataLeftNs > core().config.creditLifeNs();
  }

  /** After a frame: ends of streams, the end of it all, and what may leave now. */
  private void conclude(FrameView view, long nowNs) {
    StreamOut sending = out;
    if (sending != null && !isOver()) {
      if (sending.isEndAcked(this)) {
        endWrite();
      } else if (view.has(Options.RCLOSE) && opening == null) {
        endWrite();
      } else if (sending.isDone(this)) {
        detachOut();
      } else if (sending.hasWork()) {
        path.makeReady(this);
      }
    } else if (view.has(Options.RCLOSE) && !isOver() && !is(WRITE_ENDED)) {
      endWrite();
    }
    dissolveIfClosed(nowNs);
    if (view.has(Options.END)) {
      if (!isOver()) {
        end(nowNs, Ending.ABORTED_BY_PEER, 0);
      }
      answerFarewell(view, nowNs);
    }
    retime();
  }

  /** The outgoing stream is over. Buffers come back last of all: their user may call anything. */
  private void endWrite() {
    flags |= WRITE_ENDED;
    StreamOut sending = out;
    long rest = sending == null ? 0 : Math.max(0, sending.end - acked);
    undelivered += rest;
    if (sending != null) {
      detachOut();
      sending.end(this);
    }
    if (!isOver()) {
      core().upcalls.onWriteEnd(localKey, rest);
    }
  }

  /** The peer's stream is complete. */
  void onReadEnd() {
    flags |= READ_ENDED;
    core().upcalls.onReadEnd(localKey);
  }

  private void dissolveIfClosed(long nowNs) {
    boolean closed = is(WRITE_ENDED) && (is(READ_ENDED) || is(READ_CLOSED));
    if (closed && !isOver()) {
      end(nowNs, Ending.DISSOLVED, 0);
    }
  }

  @Override
  void onAnswered(long nowNs) {
    StreamOut sending = out;
    if (sending != null) {
      sending.onAnswered(this, nowNs);
    }
  }

  @Override
  void repeatFirst() {
    StreamOut sending = out;
    if (sending != null) {
      sending.repeatFirst(this);
    }
  }

  @Override
  long dropState() {
    StreamOut sending = out;
    if (sending != null) {
      undelivered += sending.end(this);
      detachOut();
    }
    detachIn();
    return undelivered;
  }

  // Frames that go.

  @Override
  Emitted emit(long nowNs) {
    StreamOut sending = out;
    if (sending == null || isOver()) {
      return Emitted.NOTHING;
    }
    Emitted emitted = sending.emit(this, nowNs);
    retime();
    return emitted;
  }

  boolean transmitData(int format, long seq, int options, Count kind, long nowNs) {
    long credit = tellEdge() - rseq;
    int units = (int) Math.min(credit / Header.CREDIT_UNIT_BYTES, 0xFFFF);
    boolean left = transmit(format, seq, rseq, units, options | closeBits(), kind);
    dataLeftNs = left ? nowNs : dataLeftNs;
    StreamIn receiving = in;
    if (left && receiving != null && receiving.answerAtNs != NEVER && !needsFullStatus()) {
      receiving.onRode();
    }
    return left;
  }

  int closeBits() {
    return is(READ_CLOSED) || is(READ_ENDED) ? Options.RCLOSE : 0;
  }

  /** Whether everything was acknowledged, which it is when the peer's user has it. */
  boolean isSettled() {
    StreamOut sending = out;
    return opening == null && (sending == null || sending.isAcked(this));
  }

  /** Why what waits to be sent does not leave. */
  Blocked heldBackBy() {
    StreamOut sending = out;
    return sending == null ? Blocked.NOT : sending.heldBackBy(this);
  }

  /** The edge to tell the peer now. */
  long tellEdge() {
    StreamIn receiving = in;
    return receiving == null ? rseq + restBytes() : receiving.tellEdge(this);
  }

  /** The answer may ride on data, if data goes back soon. */
  void oweStatus(long nowNs) {
    StreamIn receiving = in;
    if (receiving != null) {
      receiving.oweAnswer(nowNs, core().config.ackHoldNs());
    }
    core().oweStatus(this);
  }

  /**
   * Nobody asked: the answer leaves after a moment, for as much as has come until then; after a
   * while, if it is for a frame that is not full, behind which more may leave.
   */
  private void oweStatusSoon(FrameView view, long nowNs) {
    StreamIn receiving = in;
    if (receiving != null) {
      boolean alone = receiving.answerAtNs == NEVER && view.dataLength() < payloadBytesMax();
      TransportConfig config = core().config;
      receiving.oweAnswerSoon(nowNs, alone ? config.ackAloneNs() : config.ackHoldNs());
    }
  }

  @Override
  void oweFullStatus(long nowNs) {
    StreamIn receiving = in;
    if (receiving != null) {
      receiving.answerAtNs = nowNs;
    }
    super.oweFullStatus(nowNs);
  }

  @Override
  boolean needsFullStatus() {
    StreamIn receiving = in;
    return is(FULL_STATUS) || !is(KEY_USED) || (receiving != null && receiving.spans().count() > 0);
  }

  @Override
  boolean answer(long nowNs) {
    return StatusAnswer.give(this, in, nowNs);
  }

  // Time.

  @Override
  void onOwnDeadline(long nowNs) {
    StreamOut sending = out;
    if (sending != null && sending.timer.atNs() <= nowNs) {
      sending.onWait(this, nowNs);
    }
    if (sending != null && sending.fillAtNs <= nowNs) {
      sending.fillAtNs = NEVER;
      sending.flush();
      path.makeReady(this);
    }
    StreamIn receiving = in;
    if (receiving != null && !isOver()) {
      onReceiveDeadline(receiving, nowNs);
    }
    retime();
  }

  private void onReceiveDeadline(StreamIn receiving, long nowNs) {
    if (receiving.answerAtNs <= nowNs) {
      core().oweStatus(this);
    }
    if (receiving.gapAtNs <= nowNs) {
      receiving.gapAtNs = NEVER;
      oweFullStatus(nowNs);
    }
    if (restAtNs(receiving) <= nowNs && receiving.isIdle(this)) {
      detachIn();
    }
  }

  private long restAtNs(StreamIn receiving) {
    return receiving.newestNs + 2 * core().config.creditLifeNs();
  }

  /** Sets the association's one deadline to the earliest of its reasons. */
  void retime() {
    if (isOver()) {
      return;
    }
    long at = NEVER;
    StreamOut sending = out;
    if (sending != null) {
      at = Math.min(sending.timer.atNs(), sending.fillAtNs);
    }
    StreamIn receiving = in;
    if (receiving != null) {
      long rest = receiving.isIdle(this) ? restAtNs(receiving) : NEVER;
      long answer = isStatusDue ? NEVER : receiving.answerAtNs;
      at = Math.min(Math.min(at, rest), Math.min(answer, receiving.gapAtNs));
    }
    core().heap.set(this, at);
  }

  private StreamOut out(long nowNs) {
    StreamOut sending = out;
    if (sending == null) {
      sending = core().parts.out();
      out = sending;
      sending.begin(this, nowNs);
    }
    return sending;
  }

  private void detachOut() {
    StreamOut sending = out;
    if (sending != null) {
      out = null;
      core().parts.retire(sending);
    }
  }

  private void detachIn() {
    StreamIn receiving = in;
    if (receiving != null) {
      in = null;
      receiving.end(core());
      core().parts.retire(receiving);
    }
  }
}

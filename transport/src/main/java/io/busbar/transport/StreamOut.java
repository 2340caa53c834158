package io.busbar.transport;

import io.busbar.wire.Blocked;
import io.busbar.wire.ControlBlock;
import io.busbar.wire.Format;
import io.busbar.wire.FrameView;
import io.busbar.wire.Incarnation;
import io.busbar.wire.Options;
import java.lang.foreign.MemorySegment;

/**
 * The sending half of a stream while something is unsent or unacknowledged: what to send, what is
 * on its way, what must be repaired, and how long to wait for an answer.
 */
final class StreamOut implements Parts.Part {
  private static final long NOWHERE = -1;

  /** So many full frames need not wait for more. */
  private static final int TOGETHER = 4;

  private final SendQueue queue = new SendQueue();
  private final SentFrames sent = new SentFrames();

  /** The next byte that leaves for the first time; one past the end once WCLOSE has left. */
  long next;

  /** One past the last byte that the user gave. */
  long end;

  /** How long the answer that is waited for may take. */
  final StatusTimer timer = new StatusTimer();

  /** When what waits for more leaves, whatever else. */
  long fillAtNs = Timed.NEVER;

  /** Whether data stands still until both ends have synchronised. */
  boolean syncing;

  private boolean closing;
  private boolean firstDue;
  private boolean wantsRoom;

  /** What was waiting and may leave. */
  private long pushTo;

  /** The end of the last frame that left partly filled. */
  private long partialTo;

  /** The end of the last frame that left alone, without asking for an answer. */
  private long aloneTo = NOWHERE;

  private int fillAcks;
  private int sinceStatus;
  private int syncNumber;
  private final int sendQueueMax;

  StreamOut(TransportConfig config) {
    sendQueueMax = config.sendQueueMax();
  }

  @Override
  public void clear() {
    queue.clear();
    sent.clear();
    timer.clear();
    fillAtNs = Timed.NEVER;
    syncing = false;
    closing = false;
    firstDue = false;
    wantsRoom = false;
    pushTo = 0;
    partialTo = 0;
    aloneTo = NOWHERE;
    sinceStatus = 0;
  }

  void begin(StreamAssociation a, long nowNs) {
    next = a.acked;
    end = a.acked;
    timer.onHeard(nowNs);
    firstDue = a.opening != null;
  }

  /** Whether all is sent, acknowledged and answered. */
  boolean isDone(StreamAssociation a) {
    return isAcked(a) && !closing && !syncing && a.opening == null;
  }

  boolean isAcked(StreamAssociation a) {
    return a.acked == end && next == end;
  }

  boolean trySend(
      StreamAssociation a,
      MemorySegment segment,
      long at,
      int length,
      long token,
      long header,
      boolean endsMessage,
      long nowNs) {
    if (queue.size() >= sendQueueMax) {
      wantsRoom = true;
      return false;
    }
    if (end == next) {
      fillAcks = a.path.acks;
      fillAtNs = Timed.NEVER;
    }
    end = queue.add(end, segment, at, length, token, header, endsMessage);
    hearNow(nowNs);
    return true;
  }

  void flush() {
    pushTo = end;
  }

  void close(long nowNs) {
    closing = true;
    pushTo = end;
    hearNow(nowNs);
  }

  /** Silence counts from when there is something to be answered. */
  private void hearNow(long nowNs) {
    if (!timer.isRunning()) {
      timer.onHeard(nowNs);
    }
  }

  /** FIRST must leave again: it was lost, or it named the wrong life. */
  void repeatFirst(StreamAssociation a) {
    firstDue = true;
    a.path.onLost(sent.giveUpOlderThan(a.path.nextNumber));
    a.path.makeReady(a);
  }

  /** The edge that may not be passed now: a credit that has expired is worth one frame. */
  private long edge(StreamAssociation a, long nowNs) {
    if (a.hasCreditExpired(nowNs)) {
      a.edge = Math.min(a.edge, a.acked + a.payloadBytesMax());
    }
    return a.edge;
  }

  Emitted emit(StreamAssociation a, long nowNs) {
    if (a.opening != null) {
      return firstDue ? emitFirst(a, a.opening, nowNs) : Emitted.NOTHING;
    }
    if (syncing) {
      return Emitted.NOTHING;
    }
    if (sent.lost() > 0) {
      return emitRepair(a, nowNs);
    }
    boolean wantsClose = closing && next == end;
    long limit = Math.min(end, edge(a, nowNs));
    boolean waits = limit <= next || (isCutShort(a, next, limit) && next > a.acked);
    if (waits && !wantsClose) {
      if (end > next) {
        a.core().counters.add(Count.CREDIT_STALLS);
        timer.start(a.path, nowNs);
      }
      return Emitted.NOTHING;
    }
    int room = a.payloadBytesMax();
    if (limit == end && !closing && !mayLeave(a, room, nowNs)) {
      fillAtNs = fillAtNs == Timed.NEVER ? nowNs + a.core().config.fillNs() : fillAtNs;
      return Emitted.FILLING;
    }
    int guess = (int) Math.min(room, limit - next);
    if (sent.isFull() || !a.path.mayLeave(nowNs, guess)) {
      return Emitted.PATH_FULL;
    }
    return emitNew(a, limit, room, nowNs);
  }

  /** Why what waits does not leave; {@link Blocked#NOT} if nothing waits, or it is about to. */
  Blocked heldBackBy(StreamAssociation a) {
    if (!hasWork()) {
      return Blocked.NOT;
    }
    if (a.opening != null || syncing) {
      return Blocked.WAITING_FOR_PEER;
    }
    long limit = Math.min(end, a.edge);
    if (sent.lost() == 0 && (limit <= next || isCutShort(a, next, limit))) {
      return end > next ? Blocked.NO_CREDIT : Blocked.NOT;
    }
    return a.path.heldBackBy();
  }

  /** Whether credit, and not the end of the data, makes the next frame short: more may come. */
  private boolean isCutShort(StreamAssociation a, long from, long limit) {
    return limit < end && limit - from < a.payloadBytesMax();
  }

  /**
   * Decision 8: what does not fill some frames leaves when the path is quiet, was heard, or is
   * pushed, or after a while; frames that leave together cost little more than one. A frame that is
   * partly filled leaves behind full ones, unless another such one is on its way: so the end of a
   * message does not wait for its beginning, and small messages gather.
   */
  private boolean mayLeave(StreamAssociation a, int room, long nowNs) {
    if (pushTo > next) {
      return true;
    }
    long waiting = end - next;
    boolean nudged = a.path.isCalm() || fillAcks != a.path.acks || nowNs >= fillAtNs;
    if (!nudged && waiting < (long) room * TOGETHER) {
      return false;
    }
    long whole = waiting - waiting % room;
    pushTo = whole == 0 || partialTo <= a.acked ? end : next + whole;
    return true;
  }

  private Emitted emitNew(StreamAssociation a, long limit, int room, long nowNs) {
    Core core = a.core();
    core.frame.begin();
    int bytes = next < end ? queue.fill(core.frame, next, limit, room) : 0;
    boolean endsMessage = bytes > 0 && queue.messageEnded();
    boolean closes = closing && next + bytes == end;
    int length = closes ? bytes + 1 : bytes;
    long after = next + bytes;
    boolean stops = (after >= limit && limit < end) || isCutShort(a, after, limit);
    boolean alone = bytes < room && !stops && !closes && a.path.isQuiet();
    boolean last = bytes < room || stops || !a.path.hasRoomBehind(length);
    int options = (endsMessage ? Options.EOM : 0) | (closes ? Options.WCLOSE : 0);
    options |= alone ? aloneBit(a) : statusBit(a, last);
    if (!a.transmitData(Format.DATA, next, options, Count.DATA_OUT, nowNs)) {
      return Emitted.SINK_FULL;
    }
    sent.add(next, length, nowNs, a.path.onSent(length));
    next += length;
    if (alone && (options & Options.SREQ) == 0) {
      a.path.onSentAlone();
      aloneTo = next;
    }
    partialTo = bytes < room ? next : partialTo;
    fillAcks = a.path.acks;
    fillAtNs = Timed.NEVER;
    afterData(a, options, nowNs);
    return Emitted.SENT;
  }

  /** A repair keeps to the edge, too: the credit under which it was first sent may have expired. */
  private Emitted emitRepair(StreamAssociation a, long nowNs) {
    Core core = a.core();
    int k = sent.firstLost();
    long start = sent.start(k);
    int length = sent.length(k);
    boolean closes = closing && start + length > end;
    int bytes = closes ? length - 1 : length;
    if (start + bytes > edge(a, nowNs)) {
      core.counters.add(Count.CREDIT_STALLS);
      timer.start(a.path, nowNs);
      return Emitted.NOTHING;
    }
    if (!a.path.mayLeave(nowNs, length)) {
      return Emitted.PATH_FULL;
    }
    core.frame.begin();
    boolean endsMessage = false;
    if (bytes > 0) {
      queue.fill(core.frame, start, start + bytes, bytes);
      endsMessage = queue.messageEnded();
    }
    boolean nothingBehind = Math.min(end, edge(a, nowNs)) - next < a.payloadBytesMax();
    boolean last = (sent.lost() == 1 && nothingBehind) || !a.path.hasRoomBehind(length);
    int options = Options.REPAIR | (endsMessage ? Options.EOM : 0) | (closes ? Options.WCLOSE : 0);
    options |= statusBit(a, last);
    if (!a.transmitData(Format.DATA, start, options, Count.REPAIRS_OUT, nowNs)) {
      return Emitted.SINK_FULL;
    }
    a.path.onRepair();
    sent.onRepaired(k, nowNs, a.path.onSent(length));
    afterData(a, options, nowNs);
    return Emitted.SENT;
  }

  /**
   * FIRST takes along what fits; once it has left with data, it always leaves with the same bytes.
   * While the peer's life is unknown it takes none: they would not be delivered.
   */
  private Emitted emitFirst(StreamAssociation a, Opening first, long nowNs) {
    Core core = a.core();
    boolean again = sent.size() > 0;
    if (!a.path.mayLeave(nowNs, a.payloadBytesMax())) {
      return Emitted.PATH_FULL;
    }
    core.frame.begin();
    a.writeFirst(first);
    long limit = again ? Math.min(next, end) : end;
    int bytes = 0;
    boolean endsMessage = false;
    boolean asksLife = a.path.incarnation == Incarnation.UNKNOWN;
    if (limit > a.acked && !asksLife) {
      bytes = queue.fill(core.frame, a.acked, limit, a.path.firstBytesMax());
      endsMessage = queue.messageEnded();
    }
    boolean closes = closing && !asksLife && a.acked + bytes == end && (!again || next > end);
    int options = Options.SREQ | (endsMessage ? Options.EOM : 0) | (closes ? Options.WCLOSE : 0);
    Count kind = again ? Count.REPAIRS_OUT : Count.DATA_OUT;
    if (!a.transmitData(Format.FIRST, a.acked, options, kind, nowNs)) {
      return Emitted.SINK_FULL;
    }
    firstDue = false;
    int length = closes ? bytes + 1 : bytes;
    if (again) {
      a.path.onRepair();
      sent.onRepaired(0, nowNs, a.path.onSent(length));
    } else if (length > 0) {
      sent.add(a.acked, length, nowNs, a.path.onSent(length));
      next = a.acked + length;
    }
    timer.restart(a.path, nowNs);
    return Emitted.SENT;
  }

  /**
   * With a frame behind which others have to wait, and every so many frames (A28); more often when
   * only a few may be on their way, or their answer would come when all of them have left, and the
   * line stand idle. What is not asked for is answered after a moment, or after a while if it is a
   * frame that is not full and alone: behind it one more may leave.
   */
  private int statusBit(StreamAssociation a, boolean last) {
    int every = Math.min(a.statusEvery(), Math.max(1, a.path.windowFrames() / 3));
    boolean asks = last || sinceStatus + 1 >= every || sent.size() >= SentFrames.MAX - 1;
    return asks ? Options.SREQ : 0;
  }

  private static int aloneBit(StreamAssociation a) {
    return a.path.sentAlone() + 1 >= a.statusEvery() ? Options.SREQ : 0;
  }

  private void afterData(StreamAssociation a, int options, long nowNs) {
    if ((options & Options.SREQ) != 0) {
      a.path.onAsked();
      sinceStatus = 0;
      timer.restart(a.path, nowNs);
    } else {
      sinceStatus++;
      timer.start(a.path, nowNs);
    }
  }

  /** A frame of the peer's reached this association. */
  void onHeard(long nowNs) {
    timer.onHeard(nowNs);
  }

  /** FIRST was answered: what it carried and is not acknowledged was dropped, so it is repaired. */
  void onAnswered(StreamAssociation a, long nowNs) {
    firstDue = false;
    timer.onProgress();
    a.path.onLost(sent.giveUpOlderThan(a.path.nextNumber));
    settleWait(a, nowNs, true);
  }

  /** Takes a cumulative acknowledgement and, with CNTL or ECNTL, all that they say. */
  void onAcked(StreamAssociation a, long rseq, FrameView view, long nowNs) {
    boolean control = view.format() == Format.CNTL || view.format() == Format.ECNTL;
    sample(a, control ? ControlBlock.newest(view) : rseq, control, view, nowNs);
    int arrived = sent.onAcked(rseq);
    boolean progress = rseq > a.acked;
    a.acked = Math.max(a.acked, rseq);
    long top = 0;
    if (view.format() == Format.ECNTL) {
      for (int i = 0; i < ControlBlock.spans(view); i++) {
        top = Math.min(ControlBlock.spanTo(view, i), next);
        arrived += sent.onSpan(ControlBlock.spanFrom(view, i), top);
      }
    }
    if (arrived > 0) {
      a.path.onArrived(nowNs, arrived, sent.newestNumber());
    }
    if (top > 0) {
      a.path.onLost(sent.giveUpBefore(top, a.path.roundTrip.smoothNs() >>> 3));
    }
    if (control && syncing && ControlBlock.echo(view) == a.sync) {
      syncing = false;
      timer.onAnswered();
      a.path.onLost(sent.giveUpOlderThan(syncNumber));
    }
    if (progress || arrived > 0) {
      timer.onProgress();
    }
    if (control || progress) {
      a.path.onAcknowledged();
    }
    settleWait(a, nowNs, progress || arrived > 0);
    if (progress) {
      queue.release(Math.min(a.acked, end), a, Release.DELIVERED);
    }
    if (wantsRoom && queue.size() < sendQueueMax && !a.isOver()) {
      wantsRoom = false;
      a.core().upcalls.onSendable(a.localKey);
    }
  }

  private void sample(
      StreamAssociation a, long newest, boolean control, FrameView view, long nowNs) {
    int k = control || newest != aloneTo ? sent.findOnce(newest) : -1;
    if (k >= 0) { // what rides on data does not say how long it waited
      long held = control ? ControlBlock.heldNs(view) : 0;
      a.path.onSample(nowNs, nowNs - sent.sentNs(k) - held, sent.length(k));
    }
  }

  /** Only what arrives moves a timer that runs: a peer that sends for itself answers nothing. */
  private void settleWait(StreamAssociation a, long nowNs, boolean arrived) {
    if (a.opening == null && !syncing && sent.onTheirWayBytes() == 0) {
      timer.stop();
    } else if (arrived && !syncing) {
      timer.restart(a.path, nowNs);
    } else {
      timer.start(a.path, nowNs);
    }
  }

  /** Whether something could leave if window, credit and pace allowed. */
  boolean hasWork() {
    return sent.lost() > 0 || end > next || (closing && next == end) || firstDue;
  }

  /** Whether the end of the stream was acknowledged. */
  boolean isEndAcked(StreamAssociation a) {
    return closing && a.acked > end;
  }

  /** The wait timer has ended: ask, and let data stand still until the answer comes (A30). */
  void onWait(StreamAssociation a, long nowNs) {
    Core core = a.core();
    timer.onExpired();
    core.counters.add(Count.TIMEOUTS);
    if (timer.isSilent(nowNs, core.config.silenceNs())) {
      a.end(nowNs, Ending.PEER_SILENT, 0);
      return;
    }
    if (timer.isRepeated()) {
      a.path.window.onSilence();
    }
    if (a.opening != null) {
      repeatFirst(a);
    } else {
      syncing = true;
      a.sync++;
      syncNumber = a.path.nextNumber;
      a.askStatus(nowNs);
    }
    timer.restart(a.path, nowNs);
  }

  /** Everything comes back undelivered; returns how many bytes the peer did not acknowledge. */
  long end(StreamAssociation a) {
    long bytes = Math.max(0, end - a.acked);
    a.path.onAbandoned(sent.onTheirWayBytes());
    sent.clear();
    a.path.onAcknowledged();
    queue.release(Long.MAX_VALUE, a, Release.UNDELIVERED);
    return bytes;
  }
}

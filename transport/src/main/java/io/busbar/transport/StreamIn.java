package io.busbar.transport;

import io.busbar.wire.ControlBlock;
import io.busbar.wire.FrameView;
import io.busbar.wire.Header;
import io.busbar.wire.Options;
import java.lang.foreign.MemorySegment;

/**
 * The receiving half of a stream while it is in use: its window, what is held behind gaps, and what
 * is owed to the sender.
 */
final class StreamIn implements Parts.Part {
  /** In place of a claim: a piece without bytes, which only ends the stream. */
  private static final long EMPTY = -2;

  /** The window of a stream that has just begun, in frames; use makes it grow. */
  private static final int FIRST_FRAMES = 16;

  /** After an answer that waited in vain, so many do not wait; then one tries again. */
  private static final int AT_ONCE = 64;

  private static final long END_UNKNOWN = -1;
  private static final MemorySegment NOTHING = MemorySegment.ofArray(new byte[0]);

  private final Spans spans = new Spans();
  private final HeldFrames held = new HeldFrames();

  /** Bytes taken from the budget; the edge is this far past what was consumed. */
  int windowBytes;

  /** Bytes that the user needs no more room for. */
  long consumed;

  /** The highest edge that was granted; it does not move back while this is in use. */
  long edge;

  /** What the sender has last been told. */
  long edgeTold;

  /** The end of the frame that came last, and when it came. */
  long newest;

  long newestNs;

  /** When the answer leaves, though no data took it along. */
  long answerAtNs = Timed.NEVER;

  /** Answers that leave at once, because one waited in vain for data to ride on. */
  private int atOnce;

  /** Whether the answer that is owed was asked for. */
  private boolean asked;

  /** When the youngest gap is old enough to ask for its repair. */
  long gapAtNs = Timed.NEVER;

  private long endSeq = END_UNKNOWN;
  private long grownAt;

  /** Gaps that were seen at this time or before have been asked for. */
  private long askedNs = Long.MIN_VALUE;

  @Override
  public void clear() {
    spans.clear();
    endSeq = END_UNKNOWN;
    answerAtNs = Timed.NEVER;
    atOnce = 0;
    asked = false;
    gapAtNs = Timed.NEVER;
    askedNs = Long.MIN_VALUE;
  }

  /** Takes a window from the budget for a stream that was resting; false: the budget is spent. */
  boolean begin(StreamAssociation a) {
    Core core = a.core();
    int first = Math.min(FIRST_FRAMES * a.restBytes(), core.config.windowBytesMax());
    windowBytes = core.budget.enter(a.restBytes(), first, a.isFavored());
    consumed = a.rseq;
    grownAt = a.rseq;
    edge = a.rseq + windowBytes;
    edgeTold = a.rseq + a.restBytes();
    newest = a.rseq;
    return windowBytes > 0;
  }

  /** Whether the stream could rest: nothing is held here, and nothing by the user. */
  boolean isIdle(StreamAssociation a) {
    return held.isEmpty() && consumed == a.bytesDelivered();
  }

  /** Gives back everything that is held. */
  void end(Core core) {
    while (!held.isEmpty()) {
      releaseFirst(core);
    }
    spans.clear();
    if (windowBytes > 0) {
      core.budget.leave(windowBytes);
      windowBytes = 0;
    }
  }

  Spans spans() {
    return spans;
  }

  /** Takes the bytes of a frame. */
  void onBytes(StreamAssociation a, FrameView view, long nowNs) {
    Core core = a.core();
    boolean ends = view.has(Options.WCLOSE);
    long start = view.seq();
    long bytesEnd = start + view.dataLength();
    long end = ends ? bytesEnd + 1 : bytesEnd;
    newest = end;
    newestNs = nowNs;
    if (end <= a.rseq) {
      core.counters.add(Count.DROP_DUPLICATE);
      a.oweStatus(nowNs);
    } else if (bytesEnd > edge) {
      core.counters.add(Count.DROP_OVER_CREDIT);
      a.oweStatus(nowNs);
    } else if (contradictsEnd(ends, end)) {
      core.counters.add(Count.DROP_PAST_END);
    } else {
      endSeq = ends ? end : endSeq;
      if (start <= a.rseq) {
        inOrder(a, view, bytesEnd, end, nowNs);
      } else {
        behindGap(a, view, start, bytesEnd, end, nowNs);
      }
    }
  }

  private boolean contradictsEnd(boolean ends, long end) {
    if (endSeq == END_UNKNOWN) {
      return ends && spans.count() > 0 && spans.to(spans.count() - 1) > end;
    }
    return ends ? end != endSeq : end >= endSeq;
  }

  private void inOrder(StreamAssociation a, FrameView view, long bytesEnd, long end, long nowNs) {
    Core core = a.core();
    noteFilled(a, view, 0, nowNs);
    long until = held.isEmpty() ? bytesEnd : Math.min(bytesEnd, held.firstStart());
    boolean whole = held.isEmpty() || end <= held.firstStart();
    long from = a.rseq;
    int length = (int) Math.max(0, until - from);
    long at = view.dataAt() + (from - view.seq());
    MemorySegment segment = view.segment();
    boolean endsMessage = whole && view.has(Options.EOM);
    boolean endsStream = whole && end > bytesEnd;
    deliver(a, segment, at, length, endsMessage, endsStream);
    if (!held.isEmpty()) {
      drain(a, core, nowNs);
    }
  }

  /** Hands bytes to the user; they are in order, and {@code rseq} has passed them. */
  private void deliver(
      StreamAssociation a,
      MemorySegment segment,
      long at,
      int length,
      boolean endsMessage,
      boolean endsStream) {
    a.rseq += length;
    if (length > 0) {
      Core core = a.core();
      core.counters.add(Count.BYTES_DELIVERED, length);
      core.upcalls.onBytes(a.localKey, segment, at, length, endsMessage);
    }
    if (endsStream && !a.isOver()) {
      a.rseq++;
      a.onReadEnd();
    }
  }

  /** What the gap hid is in order now. An upcall may end the association; then nothing is held. */
  private void drain(StreamAssociation a, Core core, long nowNs) {
    long outer = core.currentFrame;
    while (!held.isEmpty() && held.firstStart() == a.rseq) {
      int flags = held.firstFlags();
      MemorySegment segment = held.firstSegment();
      long at = held.firstOffset();
      int length = held.firstLength();
      long frame = held.firstFrame();
      held.removeFirst();
      core.currentFrame = frame >= 0 ? frame : CopyStore.COPIED;
      deliver(
          a,
          segment,
          at,
          length,
          (flags & HeldFrames.ENDS_MESSAGE) != 0,
          (flags & HeldFrames.ENDS_STREAM) != 0);
      release(core, frame, segment);
    }
    core.currentFrame = outer;
    spans.dropBefore(a.rseq);
    scheduleGap(a, nowNs);
  }

  private void behindGap(
      StreamAssociation a, FrameView view, long first, long bytesLast, long last, long nowNs) {
    Core core = a.core();
    int i = spans.find(first);
    long start = first;
    if (i < spans.count() && spans.from(i) <= first) {
      start = Math.min(last, spans.to(i));
      i++;
    }
    boolean cut = i < spans.count() && spans.from(i) < last;
    long end = cut ? spans.from(i) : last;
    if (end <= start) {
      core.counters.add(Count.DROP_DUPLICATE);
      a.oweStatus(nowNs);
      return;
    }
    boolean joins =
        (i > 0 && spans.to(i - 1) == start) || (i < spans.count() && spans.from(i) == end);
    if (spans.isFull() && !joins) {
      core.counters.add(Count.DROP_TOO_MANY_GAPS);
      return;
    }
    int length = (int) (Math.min(end, bytesLast) - start);
    long at = view.dataAt() + (start - view.seq());
    int flags = cut ? 0 : flagsOf(view);
    if (!keep(core, view.segment(), at, start, Math.max(0, length), flags)) {
      core.counters.add(Count.DROP_NO_STORE);
      return;
    }
    noteFilled(a, view, i, nowNs);
    spans.add(start, end, nowNs);
    scheduleGap(a, nowNs);
  }

  /** A frame that fills a gap tells whether the path loses or only reorders. */
  private void noteFilled(StreamAssociation a, FrameView view, int above, long nowNs) {
    if (above >= spans.count()) {
      return;
    }
    if (view.has(Options.REPAIR)) {
      a.path.reorder.onLoss();
    } else {
      a.core().counters.add(Count.REORDERED);
      a.path.reorder.onReordered(nowNs - spans.sinceNs(above));
    }
  }

  private static int flagsOf(FrameView view) {
    return (view.has(Options.EOM) ? HeldFrames.ENDS_MESSAGE : 0)
        | (view.has(Options.WCLOSE) ? HeldFrames.ENDS_STREAM : 0);
  }

  private boolean keep(
      Core core, MemorySegment segment, long at, long start, int length, int flags) {
    if (length == 0) {
      held.add(start, 0, flags, NOTHING, 0, EMPTY);
      return true;
    }
    if (core.currentFrame >= 0 && core.claims.claim(core.currentFrame)) {
      held.add(start, length, flags, segment, at, core.currentFrame);
      return true;
    }
    MemorySegment chunk = core.store.keep(segment, at, length);
    if (chunk == null) {
      return false;
    }
    held.add(start, length, flags, chunk, 0, CopyStore.COPIED);
    return true;
  }

  private void releaseFirst(Core core) {
    long frame = held.firstFrame();
    MemorySegment segment = held.firstSegment();
    held.removeFirst();
    release(core, frame, segment);
  }

  private static void release(Core core, long frame, MemorySegment segment) {
    if (frame >= 0) {
      core.claims.release(frame);
    } else if (frame == CopyStore.COPIED) {
      core.store.giveBack(segment);
    }
  }

  /** A young gap may be only reordering: its repair is asked for when it has stood a while. */
  private void scheduleGap(StreamAssociation a, long nowNs) {
    gapAtNs = Timed.NEVER;
    for (int i = 0; i < spans.count(); i++) {
      long ripeNs = spans.sinceNs(i) + a.path.reorder.ns();
      if (ripeNs > nowNs) {
        gapAtNs = Math.min(gapAtNs, ripeNs);
      } else if (spans.sinceNs(i) > askedNs) {
        a.oweFullStatus(nowNs);
      }
    }
  }

  /** An answer is owed; it waits a moment for data to ride on, unless one did in vain lately. */
  void oweAnswer(long nowNs, long holdNs) {
    asked = true;
    answerAtNs = Math.min(answerAtNs, atOnce > 0 ? nowNs : nowNs + holdNs);
  }

  /** An answer is owed that nobody waits for. */
  void oweAnswerSoon(long nowNs, long holdNs) {
    answerAtNs = Math.min(answerAtNs, nowNs + holdNs);
  }

  /** The answer rode on data. */
  void onRode() {
    answerAtNs = Timed.NEVER;
    atOnce = 0;
    asked = false;
  }

  /** The answer leaves alone; who asked for it may have waited. */
  void onNotRidden() {
    if (asked) {
      atOnce = atOnce == 0 ? AT_ONCE : atOnce - 1;
      asked = false;
    }
  }

  /** How many spans a request names now: those up to the last gap that is old enough. */
  int ripeSpans(StreamAssociation a, long nowNs) {
    int ripe = 0;
    int fit = (a.payloadBytesMax() - ControlBlock.BYTES) / ControlBlock.SPAN_BYTES;
    int most = Math.min(spans.count(), Math.min(fit, ControlBlock.SPANS_MAX));
    for (int i = 0; i < most; i++) {
      if (spans.sinceNs(i) + a.path.reorder.ns() <= nowNs) {
        ripe = i + 1;
        askedNs = nowNs - a.path.reorder.ns();
      }
    }
    return ripe;
  }

  /** The user needs no more room for some bytes; whether the sender should hear of it at once. */
  boolean onConsumed(StreamAssociation a, long bytes) {
    consumed += bytes;
    windowBytes = a.core().budget.shrink(windowBytes, edge - consumed);
    edge = Math.max(edge, consumed + windowBytes);
    boolean starved = edgeTold - a.rseq < 2L * a.restBytes();
    boolean allGiven = consumed == a.bytesDelivered() && edge > edgeTold;
    boolean worthIt = allGiven || edge - edgeTold >= a.restBytes();
    return edge - edgeTold >= windowBytes >>> 1 || (starved && worthIt);
  }

  /** The edge to tell the sender now; a window that was used up since it last grew, doubles. */
  long tellEdge(StreamAssociation a) {
    if (consumed - grownAt >= windowBytes) {
      grownAt = consumed;
      int more = Math.min(windowBytes, a.core().config.windowBytesMax() - windowBytes);
      windowBytes += a.core().budget.grow(windowBytes, more, a.isFavored());
      edge = Math.max(edge, consumed + windowBytes);
    }
    long most = a.rseq + Header.CREDIT_BYTES_MAX;
    edgeTold = Math.clamp(edge, a.rseq, most); // the end of a stream counts, and needs no credit
    return edgeTold;
  }
}

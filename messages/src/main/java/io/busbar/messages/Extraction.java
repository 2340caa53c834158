package io.busbar.messages;

import io.busbar.messages.MessageException.Mistake;
import io.busbar.messages.ResumableHandler.Progress;
import io.busbar.node.Lane;
import io.busbar.node.Place;
import io.busbar.wire.Records;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The extractor's side: runs the handlers of messages that have come, in the order in which they
 * began, and goes on with those in progress of which more has come. One thread at a time.
 */
final class Extraction {
  /** A deadline that does not come. */
  static final long NEVER = Long.MAX_VALUE;

  private final Place node;
  private final Arrivals arrivals;
  private final Deferred deferred;
  private final Handlers handlers;
  private final Telling telling;
  private final Runnable drive;

  /** For messages that are handled at once. */
  private final InMessage once = new InMessage(this);

  private final ArrayDeque<InMessage> spareMessages = new ArrayDeque<>();
  private final ArrayDeque<Fiber> spareFibers = new ArrayDeque<>();
  private static final int SPARES_MAX = 64;

  /** Messages whose handlers were called and are not done. */
  private final List<InMessage> inProgress = new ArrayList<>();

  /** Messages whose handlers wait for a condition of their own, or for a time at most. */
  private final List<InMessage> conditional = new ArrayList<>();

  /**
   * The thread in which a handler runs now, or the program is told something; null outside of that.
   * Every thread asks only whether it is itself, and then it has set it, or was given its turn
   * after that.
   */
  private @Nullable Thread running;

  /** The first of the deadlines of handlers that wait. */
  private volatile long dueNs = NEVER;

  private long budget;
  private int fibers;

  /** The place below is closed: no handler begins any more, and nobody hears what is done. */
  private volatile boolean stopped;

  /**
   * An extraction.
   *
   * @param drive reports what is done and works, with the driver's role
   */
  Extraction(
      Place node,
      Arrivals arrivals,
      Deferred deferred,
      Handlers handlers,
      Telling telling,
      Runnable drive) {
    this.node = node;
    this.arrivals = arrivals;
    this.deferred = deferred;
    this.handlers = handlers;
    this.telling = telling;
    this.drive = drive;
  }

  /** Whether the calling thread is inside a handler. */
  boolean isInHandler() {
    return Thread.currentThread().equals(running);
  }

  // What messages in progress ask for.

  @Nullable Span nextSpan(Body body) {
    return body.spans.take(arrivals.done);
  }

  void done(Body body, int bytes, long claim, Copies.@Nullable Chunk chunk) {
    reportIfFull();
    arrivals.done.piece(body, bytes, claim, chunk);
  }

  private void reportIfFull() {
    if (arrivals.done.isFull()) {
      if (stopped) {
        arrivals.done.forget();
      } else {
        drive.run();
      }
    }
  }

  void ended(Body body) {
    arrivals.done.body(body);
  }

  /** A message has to be looked at again; from any thread. */
  void resume(Body body) {
    arrivals.ready.add(body);
    node.tell();
  }

  /** The time that is so long from now. */
  long deadlineNs(long ns) {
    return node.nowNs() + Math.min(ns, NEVER / 4);
  }

  boolean isPast(long deadlineNs) {
    return node.nowNs() - deadlineNs >= 0;
  }

  /** Whether a handler has waited as long as it wants to; from any thread, as a hint. */
  boolean isDue() {
    long due = dueNs;
    return due != NEVER && isPast(due);
  }

  /** In how long a handler has waited as long as it wants to; {@link #NEVER} if none will. */
  long dueInNs() {
    long due = dueNs;
    return due == NEVER ? NEVER : Math.max(0, due - node.nowNs());
  }

  private void planDue() {
    long first = NEVER;
    for (int i = 0; i < conditional.size(); i++) {
      first = Math.min(first, conditional.get(i).deadlineNs());
    }
    if (first != dueNs) {
      dueNs = first;
    }
  }

  MessageBuffer kept(int source, MemorySegment memory, long claim) {
    return MessageBuffer.kept(node, memory, arrivals.lane(source), claim);
  }

  MessageBuffer plain(MemorySegment memory) {
    return MessageBuffer.plain(node, memory);
  }

  // Extracting.

  /**
   * Runs what is there, until it had so many bytes; how often a handler was called. What comes
   * meanwhile is left for the next time, so that this ends under a steady stream.
   */
  int run(long bytesMax) {
    budget = bytesMax;
    int count = goOnWhereConditionsHold();
    long messages = arrivals.inbox.size();
    int bodies = arrivals.ready.size();
    while (budget > 0 && (messages > 0 || bodies > 0) && !stopped && !deferred.holdsBack(node)) {
      if (messages-- > 0 && arrivals.inbox.next()) {
        startNext();
        count++;
      }
      Body body = bodies-- > 0 && budget > 0 && !stopped ? arrivals.ready.next() : null;
      if (body != null) {
        goOn(body);
        count++;
      }
    }
    int passes = count > 0 && !stopped ? conditional.size() : 0; // handlers may have fulfilled some
    for (int more = passes; more > 0 && passes > 0; passes--) {
      more = goOnWhereConditionsHold();
      count += more;
    }
    planDue();
    return count;
  }

  /** Runs the handlers of the next message, and of the next of which more has come. */
  int runNext() {
    budget = Long.MAX_VALUE;
    int count = goOnWhereConditionsHold();
    if (deferred.holdsBack(node)) {
      return count;
    }
    if (arrivals.inbox.next()) {
      startNext();
      count++;
    }
    Body body = arrivals.ready.size() > 0 && !stopped ? arrivals.ready.next() : null;
    if (body != null) {
      goOn(body);
      count++;
    }
    count += count > 0 ? goOnWhereConditionsHold() : 0;
    planDue();
    return count;
  }

  /** Whether handlers wait for conditions of their own. */
  boolean hasConditions() {
    return !conditional.isEmpty();
  }

  private int goOnWhereConditionsHold() {
    int count = 0;
    for (int i = conditional.size() - 1; i >= 0; i--) {
      InMessage in = conditional.get(i);
      Body body = in.body();
      if (body != null && canGoOn(in)) {
        conditional.remove(i);
        goOn(body);
        count++;
      }
    }
    return count;
  }

  /** A condition may do as little as a handler. */
  private boolean canGoOn(InMessage in) {
    if (!in.hasCondition()) {
      return in.canGoOn();
    }
    Thread before = running;
    running = Thread.currentThread();
    try {
      return in.canGoOn();
    } finally {
      running = before;
    }
  }

  private void startNext() {
    Inbox inbox = arrivals.inbox;
    long header = inbox.header();
    int from = inbox.from();
    int source = inbox.source();
    int length = Records.length(header);
    if (header == Inbox.TIDING) {
      tellNext(inbox.takeSpan(arrivals.done));
      return;
    }
    if (Records.kind(header) == Records.START) {
      long size = inbox.memory().get(Little.LONG, inbox.at());
      Span span = inbox.takeSpan(arrivals.done);
      Body body = span == null ? null : span.starts;
      inbox.remove();
      reportIfFull();
      arrivals.done.message(arrivals.lane(source), length, Lane.NO_CLAIM);
      budget -= Records.HEADER_BYTES;
      if (body != null) {
        startLong(Records.handler(header), body, size);
      }
      return;
    }
    budget -= Records.HEADER_BYTES + length;
    Span span = inbox.hasSpan() ? inbox.takeSpan(arrivals.done) : null;
    boolean kept = false;
    try {
      kept =
          span == null
              ? startWhole(header, from, source, inbox.memory(), inbox.at(), length, null)
              : startWhole(header, from, source, span.memory, span.at, length, span);
    } finally {
      inbox.remove();
      if (!kept) {
        reportIfFull();
        long claim = claim(span);
        arrivals.done.message(arrivals.lane(source), Records.charge(header), claim);
      }
    }
  }

  /** Nobody extracts any more: tells what happened between messages, whose handlers do not run. */
  void tellRest() {
    Inbox inbox = arrivals.inbox;
    while (inbox.next()) {
      Span span = inbox.hasSpan() ? inbox.takeSpan(arrivals.done) : null;
      if (inbox.header() == Inbox.TIDING) {
        tellNext(span);
      } else {
        inbox.remove();
      }
    }
  }

  /** Something that happened between two messages. */
  private void tellNext(@Nullable Span span) {
    Consumer<MessageEvents> tiding = span == null ? null : span.tiding;
    arrivals.inbox.remove();
    if (tiding != null) {
      tell(tiding);
    }
  }

  /** Tells the program something: it may do what a handler may, meanwhile. */
  void tell(Consumer<MessageEvents> what) {
    Thread before = running;
    running = Thread.currentThread();
    telling.tell(what);
    running = before;
  }

  /** Runs the handler of a message that has come whole; whether the message was kept for it. */
  private boolean startWhole(
      long header,
      int from,
      int source,
      MemorySegment memory,
      long at,
      int length,
      @Nullable Span span) {
    Registered handler = handlers.get(Records.handler(header));
    if (handler == null) {
      int number = Records.handler(header);
      tell(program -> program.onUnknownHandler(number, from, length));
      return false;
    }
    MessageHandler action = handler.blocking();
    if (handler.waits()) {
      Body body = keep(from, source, memory, at, length, Records.charge(header), span);
      start(handler, body, length);
      return true;
    }
    if (action == null) {
      return startResumable(handler, header, from, source, memory, at, span);
    }
    once.open(from, source, memory, at, length, claim(span));
    running = Thread.currentThread();
    try {
      action.onMessage(once, from);
    } catch (Throwable e) {
      tellFailed(handler, from, length, e);
    } finally {
      running = null;
      forgetTaken(once, span);
      once.close();
    }
    return false;
  }

  private static long claim(@Nullable Span span) {
    return span == null ? Lane.NO_CLAIM : span.claim;
  }

  /** What the handler has taken is not given back for it. */
  private static void forgetTaken(InMessage in, @Nullable Span span) {
    if (span != null && in.wasTaken()) {
      span.claim = Lane.NO_CLAIM;
    }
  }

  private boolean startResumable(
      Registered handler,
      long header,
      int from,
      int source,
      MemorySegment memory,
      long at,
      @Nullable Span span) {
    int length = Records.length(header);
    InMessage in = spareMessage();
    in.open(from, source, memory, at, length, claim(span));
    boolean more = false;
    running = Thread.currentThread();
    try {
      more = call(handler, in, from) == Progress.CONTINUE && in.remaining() > 0;
    } catch (Throwable e) {
      tellFailed(handler, from, length, e);
    } finally {
      running = null;
    }
    if (!more) {
      forgetTaken(in, span);
      finish(in);
      return false;
    }
    int rest = (int) in.remaining();
    Body body = keep(from, source, memory, at + length - rest, rest, Records.charge(header), span);
    in.handler = handler;
    in.from = from;
    boolean resumed = in.openRest(body, length, length - rest);
    body.message = in;
    in.show(body, 0);
    onProgress(in);
    if (resumed) {
      arrivals.ready.add(body);
    }
    return true;
  }

  private static Progress call(Registered handler, InMessage in, int from) throws Exception {
    ResumableHandler action = handler.resumable();
    return action == null ? Progress.DONE : action.onArrival(in, from);
  }

  /** Takes a message that came whole out of the inbox: its handler waits. */
  private static Body keep(
      int from,
      int source,
      MemorySegment memory,
      long at,
      int rest,
      int length,
      @Nullable Span span) {
    Span kept = new Span();
    kept.length = rest;
    if (span == null) {
      byte[] copy = new byte[rest];
      kept.memory = MemorySegment.ofArray(copy);
      MemorySegment.copy(memory, at, kept.memory, 0, rest);
    } else {
      kept.memory = memory;
      kept.at = at;
      kept.claim = span.claim;
    }
    return Body.whole(from, source, kept, length);
  }

  private InMessage spareMessage() {
    InMessage spare = spareMessages.poll();
    return spare == null ? new InMessage(this) : spare;
  }

  private InMessage message(Registered handler, Body body, long size) {
    InMessage in = spareMessage();
    in.open(body, size);
    in.handler = handler;
    in.from = body.from;
    in.source = body.source;
    body.message = in;
    return in;
  }

  private void onProgress(InMessage in) {
    in.progress = inProgress.size();
    inProgress.add(in);
  }

  private void startLong(int number, Body body, long size) {
    Registered handler = handlers.get(number);
    if (handler == null) {
      tell(program -> program.onUnknownHandler(number, body.from, size));
      arrivals.done.body(body);
      return;
    }
    start(handler, body, size);
  }

  private void start(Registered handler, Body body, long size) {
    InMessage in = message(handler, body, size);
    onProgress(in);
    show(in, body);
    MessageHandler action = handler.blocking();
    if (action == null) {
      callResumable(in, body);
      return;
    }
    if (!handler.waits() && body.isComplete() && !in.hasMore(body)) {
      runBlocking(in, action);
      finish(in);
      return;
    }
    Fiber spare = spareFibers.poll();
    Fiber fiber = spare == null ? newFiber() : spare;
    in.fiber = fiber;
    long before = in.receivedBytes();
    inFiber(fiber, () -> fiber.begin(() -> runBlocking(in, action)));
    afterFiber(in, body, fiber, before);
  }

  private Fiber newFiber() {
    return new Fiber(++fibers, node::offerProcessor, telling::keep);
  }

  private void show(InMessage in, Body body) {
    in.show(body, budget);
  }

  private void inFiber(Fiber fiber, Runnable turn) {
    Thread before = running;
    running = fiber.thread();
    try {
      turn.run();
    } finally {
      running = before;
    }
  }

  private void runBlocking(InMessage in, MessageHandler action) {
    Thread before = running;
    running = Thread.currentThread();
    try {
      action.onMessage(in, in.from);
    } catch (Throwable e) {
      fail(in, e);
    } finally {
      running = before;
    }
  }

  private void fail(InMessage in, Throwable why) {
    Registered handler = in.handler;
    if (handler != null) {
      tellFailed(handler, in.from, in.length() < 0 ? in.receivedBytes() : in.length(), why);
    }
  }

  /** What a handler threw costs its message alone; that its thread was interrupted stays known. */
  private void tellFailed(Registered handler, int from, long bytes, Throwable why) {
    tell(program -> program.onHandlerFailed(handler.handler(), from, bytes, why));
    if (why instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
  }

  /** More has come of a message in progress, or somebody asked for it. */
  private void goOn(Body body) {
    InMessage in = body.message;
    if (in == null) {
      return; // it has not been started yet, or is over
    }
    show(in, body);
    Fiber fiber = in.fiber;
    if (fiber == null) {
      callResumable(in, body);
      return;
    }
    long before = in.receivedBytes();
    if (canGoOn(in)) {
      inFiber(fiber, fiber::goOn);
    }
    afterFiber(in, body, fiber, before);
  }

  private void afterFiber(InMessage in, Body body, Fiber fiber, long before) {
    budget -= in.receivedBytes() - before;
    if (!in.isToBeLookedAt() && !conditional.isEmpty()) {
      boolean _ = conditional.remove(in);
    }
    if (fiber.isIdle()) {
      if (spareFibers.size() < SPARES_MAX) {
        spareFibers.add(fiber);
      } else {
        fiber.end();
      }
      finish(in);
      return;
    }
    in.leaveReadSpan();
    if (in.isToBeLookedAt() && !conditional.contains(in)) {
      conditional.add(in);
    }
    if (!in.hasCondition() && in.hasMore(body)) {
      arrivals.ready.add(body);
    }
  }

  private void callResumable(InMessage in, Body body) {
    Registered handler = in.handler;
    if (handler == null) {
      return;
    }
    long before = in.receivedBytes();
    Progress progress = Progress.DONE;
    running = Thread.currentThread();
    try {
      progress = call(handler, in, in.from);
    } catch (Throwable e) {
      fail(in, e);
    } finally {
      running = null;
    }
    budget -= in.receivedBytes() - before;
    String broken = in.broken();
    if (progress == Progress.CONTINUE && broken != null && in.remaining() != 0) {
      fail(in, new MessageException(Mistake.BROKEN_OFF, broken));
      finish(in);
    } else if (progress == Progress.DONE || in.isOver()) {
      finish(in);
    } else {
      in.leaveReadSpan();
      if (in.hasMore(body)) {
        arrivals.ready.add(body);
      }
    }
  }

  private void finish(InMessage in) {
    reportIfFull();
    in.close();
    if (in.progress >= 0) {
      InMessage last = inProgress.removeLast();
      if (last != in) {
        last.progress = in.progress;
        inProgress.set(in.progress, last);
      }
      in.progress = -1;
    }
    if (spareMessages.size() < SPARES_MAX) {
      spareMessages.add(in);
    }
  }

  /** The place below is closed, or is about to be; from any thread. */
  void stop() {
    stopped = true;
  }

  /**
   * Nothing more comes: messages in progress end with an exception, or with what is there. What is
   * thrown meanwhile is kept, so that all of them end.
   *
   * @param bytesMax what their handlers may still see of what is there
   */
  void end(String why, long bytesMax) {
    budget = bytesMax;
    for (InMessage in : List.copyOf(inProgress)) {
      Body body = in.body();
      if (body != null) {
        body.onLeft(why);
        end(body);
      }
    }
    for (Fiber fiber = spareFibers.poll(); fiber != null; fiber = spareFibers.poll()) {
      fiber.end();
    }
  }

  private void end(Body body) {
    try {
      goOn(body);
    } catch (RuntimeException | Error e) {
      telling.keep(e);
    }
  }
}

package io.busbar.messages;

import io.busbar.messages.MessageException.Mistake;
import io.busbar.node.Content;
import io.busbar.node.Place;
import io.busbar.wire.Bodies;
import io.busbar.wire.Records;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The sender's side: what has to leave is tried until it could, with the driver's role; between two
 * tries the caller waits for room and extracts, or, inside a handler, leaves it to be sent later.
 */
final class Sending {
  private static final int WORDS_BYTES = 16;

  private final Messages messages;
  private final Place node;
  private final Targets targets;
  private final MemorySegment words = Arena.ofAuto().allocate(WORDS_BYTES, 8);
  private final Deferred deferred;

  /** How long a sender waits for room. */
  private volatile long patienceNs = Long.MAX_VALUE;

  Sending(Messages messages, Place node, Targets targets, Deferred deferred) {
    this.messages = messages;
    this.deferred = deferred;
    this.node = node;
    this.targets = targets;
  }

  void patience(long ns) {
    patienceNs = ns;
  }

  boolean isInHandler() {
    return messages.isInHandler();
  }

  Outgoing target(int to) {
    Outgoing target = targets.to(to);
    if (target == null && to == Messages.EVERYONE) {
      int _ = messages.group("");
      target = targets.to(to);
    }
    if (target == null) {
      throw new MessageException(
          Mistake.UNKNOWN_NODE,
          "node %d cannot be sent to: this is node %d of %d".formatted(to, node.id(), node.size()));
    }
    return target;
  }

  // Whole messages.

  void send(int to, Handler handler, MemorySegment from, long at, int length) {
    Outgoing target = target(to);
    long header = Records.header(Records.WHOLE, 0, handler.number(), length);
    long deadlineNs = 0;
    long seen = target.roomCame(); // before it is tried
    while (!sendOrDefer(target, header, from, at)) {
      deadlineNs = awaitRoom(target, seen, deadlineNs);
      seen = target.roomCame();
    }
  }

  private boolean sendOrDefer(Outgoing target, long header, MemorySegment from, long at) {
    messages.take();
    try {
      return trySend(target, header, from, at) || defer(target, header, from, at);
    } finally {
      node.release();
    }
  }

  void send(int to, Handler handler, int length, Content content) {
    Outgoing target = target(to);
    long header = Records.header(Records.WHOLE, 0, handler.number(), length);
    long deadlineNs = 0;
    long seen = target.roomCame();
    while (!sendOrDefer(target, header, content)) {
      deadlineNs = awaitRoom(target, seen, deadlineNs);
      seen = target.roomCame();
    }
  }

  private boolean sendOrDefer(Outgoing target, long header, Content content) {
    messages.take();
    try {
      return trySend(target, header, content) || defer(target, header, content);
    } finally {
      node.release();
    }
  }

  boolean trySend(int to, Handler handler, int length, Content content) {
    Outgoing target = target(to);
    long header = Records.header(Records.WHOLE, 0, handler.number(), length);
    messages.take();
    try {
      if (trySend(target, header, content)) {
        return true;
      }
      boolean _ = node.work(); // as below
      return trySend(target, header, content);
    } finally {
      node.release();
    }
  }

  private boolean trySend(Outgoing target, long header, Content content) {
    prepare(target);
    boolean sent = target.trySend(header, content);
    node.flush();
    return sent;
  }

  private boolean defer(Outgoing target, long header, Content content) {
    if (!isInHandler()) {
      return false;
    }
    deferred.check(Records.length(header));
    target.defer(header, content); // may throw: then nothing waits
    deferred.added(Records.length(header), node.nowNs());
    return true;
  }

  void send(int to, Handler handler, int one, int two, int three, int four) {
    Outgoing target = target(to);
    long header = Records.header(Records.WORDS, 0, handler.number(), WORDS_BYTES);
    long deadlineNs = 0;
    long seen = target.roomCame();
    while (!sendOrDefer(target, header, one, two, three, four)) {
      deadlineNs = awaitRoom(target, seen, deadlineNs);
      seen = target.roomCame();
    }
  }

  private boolean sendOrDefer(Outgoing target, long header, int one, int two, int three, int four) {
    messages.take();
    try {
      words.set(Little.INT, 0, one);
      words.set(Little.INT, 4, two);
      words.set(Little.INT, 8, three);
      words.set(Little.INT, 12, four);
      return trySend(target, header, words, 0) || defer(target, header, words, 0);
    } finally {
      node.release();
    }
  }

  boolean trySend(int to, Handler handler, MemorySegment from, long at, int length) {
    Outgoing target = target(to);
    long header = Records.header(Records.WHOLE, 0, handler.number(), length);
    messages.take();
    try {
      if (trySend(target, header, from, at)) {
        return true;
      }
      boolean _ = node.work(); // room may have come: who only tries never waits for it
      return trySend(target, header, from, at);
    } finally {
      node.release();
    }
  }

  private boolean trySend(Outgoing target, long header, MemorySegment from, long at) {
    prepare(target);
    boolean sent = target.trySend(header, from, at);
    node.flush();
    return sent;
  }

  /** What waits goes first. */
  private void prepare(Outgoing target) {
    if (target.lane.isEnded()) {
      throw new MessageException(
          Mistake.NODE_GONE,
          "node %d is gone: %s".formatted(target.lane.peer(), target.lane.whyEnded()));
    }
    if (target.hasDeferred()) {
      deferred.left(target.sendDeferred(), node.nowNs());
    }
  }

  /** Inside a handler nobody waits: what cannot leave is kept, within a bound. */
  private boolean defer(Outgoing target, long header, MemorySegment from, long at) {
    if (!isInHandler()) {
      return false;
    }
    deferred.check(Records.length(header));
    target.defer(header, from, at); // may throw: then nothing waits
    deferred.added(Records.length(header), node.nowNs());
    return true;
  }

  /** So many bytes of a handler have to wait; refused past the bound. */
  void charge(int length) {
    deferred.add(length, node.nowNs());
  }

  /** The end of a message that is broken off has to wait; it has no bytes, and is not refused. */
  void chargeEnd() {
    deferred.addEnd(node.nowNs());
  }

  /** Whether something of a handler waits to be sent. */
  boolean hasDeferred() {
    return deferred.isAny();
  }

  /** Sends what waits, as far as it can; the driver's role is needed. */
  void sendDeferred() {
    if (deferred.isAny()) {
      for (Outgoing target : targets.all()) {
        if (target.hasDeferred()) {
          deferred.left(target.sendDeferred(), node.nowNs());
        }
      }
    }
  }

  // Buffers that change their owner.

  boolean canPass(int to, MessageBuffer buffer) {
    return buffer.isPooled() && target(to).lane.passesBuffers() && !isInHandler();
  }

  void pass(int to, Handler handler, MessageBuffer buffer, int length) {
    Outgoing target = target(to);
    long header = Records.header(Records.WHOLE, 0, handler.number(), length);
    long deadlineNs = 0;
    long seen = target.roomCame();
    while (!tryPass(target, header, buffer)) {
      deadlineNs = awaitRoom(target, seen, deadlineNs);
      seen = target.roomCame();
    }
  }

  private boolean tryPass(Outgoing target, long header, MessageBuffer buffer) {
    messages.take();
    try {
      prepare(target);
      boolean passed = target.tryPass(header, buffer);
      node.flush();
      return passed;
    } finally {
      node.release();
    }
  }

  // Messages in pieces.

  OutMessage begin(int to, long size, Handler handler) {
    Draft draft = draft(to, size, handler);
    if (draft.needsChannel()) {
      start(draft);
    }
    return new OutMessage(this, draft);
  }

  private void start(Draft draft) {
    boolean begun = false;
    try {
      draft.start();
      begun = true;
    } finally {
      if (!begun) {
        abandon(draft);
      }
    }
  }

  @Nullable OutMessage tryBegin(int to, long size, Handler handler) {
    Draft draft = draft(to, size, handler);
    if (draft.needsChannel() && !draft.tryStart()) {
      abandon(draft);
      return null;
    }
    return new OutMessage(this, draft);
  }

  private Draft draft(int to, long size, Handler handler) {
    if (size < Bodies.SIZE_UNKNOWN) {
      throw new MessageException(
          Mistake.TOO_LONG,
          "a message of %d bytes; allowed: 0 and more, or -1 if it is not known".formatted(size));
    }
    Outgoing target = target(to);
    messages.take();
    try {
      prepare(target);
      Draft draft = target.draft(this);
      draft.begin(handler, size);
      target.begin(draft);
      return draft;
    } finally {
      node.release();
    }
  }

  /** A message that will not be ended. */
  void abandon(Draft draft) {
    try {
      draft.breakOff();
    } catch (MessageException e) {
      if (e.mistake() != Mistake.NODE_GONE) {
        throw e;
      }
    }
  }

  /** Nobody waits for a message's channel any more; others may have it. */
  void waitNoLonger(Draft draft) {
    node.take();
    try {
      draft.target().waitNoLonger(draft);
    } finally {
      node.release();
    }
  }

  /**
   * Tries until it works.
   *
   * @param attempt made with the driver's role
   * @param inHandler made instead of waiting, with the driver's role; whether that is as good
   */
  void until(Outgoing target, BooleanSupplier attempt, BooleanSupplier inHandler) {
    long deadlineNs = 0;
    long seen = target.roomCame();
    while (!attempt(target, attempt, inHandler)) {
      deadlineNs = awaitRoom(target, seen, deadlineNs);
      seen = target.roomCame();
    }
  }

  private boolean attempt(Outgoing target, BooleanSupplier attempt, BooleanSupplier inHandler) {
    messages.take();
    try {
      prepare(target);
      boolean done = attempt.getAsBoolean();
      node.flush();
      return done || (isInHandler() && inHandler.getAsBoolean());
    } finally {
      node.release();
    }
  }

  /** Tries once, and does something else instead if it does not work; with the driver's role. */
  void either(Outgoing target, BooleanSupplier attempt, BooleanSupplier instead) {
    messages.take();
    try {
      prepare(target);
      boolean _ = attempt.getAsBoolean() || instead.getAsBoolean();
      node.flush();
    } finally {
      node.release();
    }
  }

  /** Tries once, and once more after a look at the network. */
  boolean once(Outgoing target, BooleanSupplier attempt) {
    messages.take();
    try {
      prepare(target);
      boolean done = attempt.getAsBoolean();
      if (!done) {
        boolean _ = node.work();
        done = attempt.getAsBoolean();
      }
      node.flush();
      return done;
    } finally {
      node.release();
    }
  }

  // Waiting.

  /** Waits for more room than was seen, and extracts; until when, 0 before the first time. */
  private long awaitRoom(Outgoing target, long seen, long deadlineNs) {
    messages.checkNotLooking("not wait for room: let it try to send");
    messages.reportDone(); // who waits for us may wait for that
    long now = node.nowNs();
    long patience = patienceNs;
    long until = deadlineNs;
    if (until == 0) {
      until = now + Math.min(patience, Long.MAX_VALUE / 2);
      until = until == 0 ? 1 : until;
    }
    long leftNs = until - now;
    long waitNs = messages.waitNs(leftNs);
    boolean inTime;
    try {
      inTime = leftNs > 0 && (roomComes(target, seen, waitNs) || waitNs < leftNs);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MessageException(
          Mistake.TIMED_OUT, "interrupted while node %d had no room".formatted(target.lane.peer()));
    }
    if (!inTime) {
      throw new MessageException(
          Mistake.TIMED_OUT,
          "node %d had no room for %d ms".formatted(target.lane.peer(), patience / 1_000_000));
    }
    messages.extractWhileWaiting();
    return until;
  }

  /** The slowest of many readers makes room for broadcasts: its sender leaves it the processor. */
  private boolean roomComes(Outgoing target, long seen, long waitNs) throws InterruptedException {
    BooleanSupplier enough = () -> target.roomCame() != seen || messages.hasWork();
    return target.lane.destination() >= Messages.EVERYONE
        ? node.awaitAtRest(enough, waitNs)
        : node.await(enough, waitNs);
  }

  // The end.

  /** Whether all that was sent has arrived, where anybody is left; the driver's role is needed. */
  boolean isSettled() {
    sendDeferred();
    boolean _ = node.work();
    boolean settled = true;
    for (Outgoing target : targets.all()) {
      settled &= target.lane.isEnded() || target.unsettledBytes() == 0;
    }
    return settled;
  }
}

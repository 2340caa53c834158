package io.busbar.messages;

import io.busbar.messages.MessageException.Mistake;
import io.busbar.node.Lane;
import io.busbar.node.LaneUser;
import io.busbar.node.Node;
import io.busbar.node.NodeConfig;
import io.busbar.node.Place;
import io.busbar.wire.Records;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Fast Messages over a node. A message names a handler at its destination; handlers run when the
 * program there extracts. Between two nodes messages arrive once and in order, or an event says
 * that they did not. A sender is stopped when the receiver does not extract.
 *
 * <pre>{@code
 * Handler greet = fm.handler("greet", (in, from) -> System.out.println(in.receiveInt()));
 * fm.send(peer, greet, segment, 0, length);
 * fm.extract();
 * }</pre>
 */
public final class Messages implements AutoCloseable {
  /** The longest message. */
  public static final int BYTES_MAX = Lane.RECORD_BYTES_MAX;

  /** What handlers may have sent that could not leave yet, in sum. */
  private static final long DEFERRED_BYTES_MAX = 4 << 20;

  /** Five seconds, in looks. */
  private static final int SETTLE_LOOKS = 5_000;

  private static final long SETTLE_LOOK_NS = 1_000_000;
  private static final int DONE_MAX = 64;
  private static final int WORDS_BYTES = 16;

  private final Inbox inbox = new Inbox();
  private final Handlers handlers = new Handlers();
  private final ReentrantLock extractor = new ReentrantLock();
  private final InMessage in = new InMessage();
  private final MemorySegment words = Arena.ofAuto().allocate(WORDS_BYTES, 8);
  private final MessageEvents events;
  private final Place node;
  private final @Nullable Outgoing[] outgoing;
  private final ArrayDeque<Gone> gone = new ArrayDeque<>();
  private long deferredBytes;
  private final AtomicBoolean closing = new AtomicBoolean();
  private volatile boolean ended;

  /** Messages that were dealt with; those who wait for a handler's deed look at it. */
  private final AtomicLong extracted = new AtomicLong();

  // Messages that were dealt with, and not reported to their lanes yet; the extractor's.
  private final int[] doneFrom = new int[DONE_MAX];
  private final int[] doneBytes = new int[DONE_MAX];
  private int done;

  private record Gone(int node, String why) {}

  /** Joins a cluster, and speaks Fast Messages there. */
  public static Messages join(NodeConfig config, MessageEvents events) throws InterruptedException {
    return over(config.size(), user -> Node.join(config, user), events);
  }

  /** Speaks Fast Messages at a place among so many. */
  public static Messages over(int size, Place.Opening opening, MessageEvents events)
      throws InterruptedException {
    return new Messages(size, opening, events);
  }

  private Messages(int size, Place.Opening opening, MessageEvents events)
      throws InterruptedException {
    this.events = events;
    this.outgoing = new @Nullable Outgoing[size];
    this.node = opening.open(new Receiver());
    node.take();
    try {
      for (int peer = 0; peer < outgoing.length; peer++) {
        Lane lane = node.lane(peer);
        outgoing[peer] = lane == null ? null : new Outgoing(lane);
      }
    } finally {
      node.release();
    }
  }

  /** What the lanes say, inside the driver. */
  private final class Receiver implements LaneUser {
    @Override
    public void onRecord(Lane lane, long header, MemorySegment memory, long at, int length) {
      inbox.put(lane.peer(), header, memory, at, length);
    }

    @Override
    public void onReleased(Lane lane, long token, boolean delivered) {
      Outgoing to = outgoing[lane.peer()];
      if (to != null) {
        to.onReleased(token);
      }
    }

    @Override
    public void onSendable(Lane lane) {
      Outgoing to = outgoing[lane.peer()];
      if (to != null) {
        to.sendable = true;
      }
    }

    @Override
    public void onEnded(Lane lane, String why) {
      synchronized (gone) {
        gone.add(new Gone(lane.peer(), why));
      }
      onSendable(lane);
    }
  }

  /** Takes the driver's role, unless this has ended. */
  private void take() {
    node.take();
    if (ended) {
      node.release();
      throw new MessageException(Mistake.WRONG_PLACE, "these messages were closed");
    }
  }

  /** The node below. */
  public Place node() {
    return node;
  }

  /** Registers a handler by its name, which is the same on every node. */
  public Handler handler(String name, MessageHandler action) {
    return handlers.add(name, action);
  }

  /** Registers a handler by a number from 0 to 32767, which is the same on every node. */
  public Handler handler(int number, MessageHandler action) {
    return handlers.add(number, action);
  }

  // Sending.

  /**
   * Sends a message; when this returns, its bytes may be changed. Waits while the receiver has no
   * room, and extracts meanwhile, unless it is called inside a handler: there it keeps what cannot
   * leave for later, within a bound.
   */
  public void send(int to, Handler handler, MemorySegment from, long at, int length) {
    checkRange(from, at, length);
    send(to, Records.header(Records.WHOLE, 0, handler.number(), length), from, at);
  }

  /** Sends four words. */
  public void send(int to, Handler handler, int one, int two, int three, int four) {
    Outgoing target = target(to);
    long header = Records.header(Records.WORDS, 0, handler.number(), WORDS_BYTES);
    boolean sent = false;
    while (!sent) {
      take();
      try {
        words.set(Little.INT, 0, one);
        words.set(Little.INT, 4, two);
        words.set(Little.INT, 8, three);
        words.set(Little.INT, 12, four);
        sent = trySend(target, header, words, 0) || defer(target, header, words, 0);
      } finally {
        node.release();
      }
      if (!sent) {
        awaitRoom(target);
      }
    }
  }

  /** Sends a message if it can leave now, and never waits; false when it cannot. */
  public boolean trySend(int to, Handler handler, MemorySegment from, long at, int length) {
    checkRange(from, at, length);
    Outgoing target = target(to);
    long header = Records.header(Records.WHOLE, 0, handler.number(), length);
    take();
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

  private void send(int to, long header, MemorySegment from, long at) {
    Outgoing target = target(to);
    boolean sent = false;
    while (!sent) {
      take();
      try {
        sent = trySend(target, header, from, at) || defer(target, header, from, at);
      } finally {
        node.release();
      }
      if (!sent) {
        awaitRoom(target);
      }
    }
  }

  private static void checkRange(MemorySegment from, long at, int length) {
    if (length < 0 || length > BYTES_MAX) {
      throw new MessageException(
          Mistake.TOO_LONG, "a message of %d bytes; allowed: 0 to %d".formatted(length, BYTES_MAX));
    }
    long _ = Objects.checkFromIndexSize(at, length, from.byteSize());
  }

  private Outgoing target(int to) {
    Outgoing target = to < 0 || to >= outgoing.length ? null : outgoing[to];
    if (target == null) {
      throw new MessageException(
          Mistake.UNKNOWN_NODE,
          "node %d cannot be sent to: this is node %d of %d".formatted(to, node.id(), node.size()));
    }
    return target;
  }

  private boolean trySend(Outgoing target, long header, MemorySegment from, long at) {
    if (target.lane.isEnded()) {
      throw new MessageException(
          Mistake.NODE_GONE, "node %d is gone".formatted(target.lane.peer()));
    }
    if (target.hasDeferred()) {
      deferredBytes -= target.sendDeferred();
    }
    boolean sent = target.trySend(header, from, at);
    node.flush();
    return sent;
  }

  /** Inside a handler nobody waits: what cannot leave is kept, within a bound. */
  private boolean defer(Outgoing target, long header, MemorySegment from, long at) {
    if (!extractor.isHeldByCurrentThread()) {
      return false;
    }
    int length = Records.length(header);
    if (deferredBytes + length > DEFERRED_BYTES_MAX) {
      throw new MessageException(
          Mistake.TOO_MUCH_DEFERRED,
          "handlers have sent %d bytes that could not leave yet; allowed: %d. Send less in handlers, or outside of them"
              .formatted(deferredBytes + length, DEFERRED_BYTES_MAX));
    }
    deferredBytes += length + Records.HEADER_BYTES; // an empty one counts, too
    target.defer(header, from, at);
    return true;
  }

  private void awaitRoom(Outgoing target) {
    try {
      boolean _ = node.await(() -> target.sendable || !inbox.isEmpty() || ended, Long.MAX_VALUE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MessageException(
          Mistake.TIMED_OUT, "interrupted while node %d had no room".formatted(target.lane.peer()));
    }
    if (!inbox.isEmpty()) {
      int _ = extract();
    }
  }

  // Receiving.

  /** Runs the handlers of all messages that are there; how many. */
  public int extract() {
    return extract(Long.MAX_VALUE);
  }

  /**
   * Runs handlers until their messages had so many bytes, headers included; how many messages. A
   * second thread waits until the first one is done.
   */
  public int extract(long bytesMax) {
    if (extractor.isHeldByCurrentThread()) {
      throw new MessageException(Mistake.WRONG_PLACE, "a handler may not extract");
    }
    extractor.lock();
    try {
      drive();
      int count = 0;
      for (long bytes = 0; bytes < bytesMax && inbox.next(); count++) {
        bytes += Records.HEADER_BYTES + Records.length(inbox.header());
        handleNext();
      }
      if (count > 0) {
        drive();
      }
      tellWhoIsGone();
      if (count > 0) {
        long _ = extracted.addAndGet(count);
        node.tell();
      }
      return count;
    } finally {
      extractor.unlock();
    }
  }

  /** Waits until a message has come or the time has passed, then extracts; how many messages. */
  public int extractOrWait(long patienceNs) throws InterruptedException {
    return extractOrWait(extracted.get(), patienceNs);
  }

  private int extractOrWait(long seen, long patienceNs) throws InterruptedException {
    if (extractor.isHeldByCurrentThread()) {
      throw new MessageException(Mistake.WRONG_PLACE, "a handler may not extract");
    }
    if (inbox.isEmpty()) {
      boolean _ =
          node.await(
              () -> !inbox.isEmpty() || extracted.get() != seen || isSomebodyGone() || ended,
              patienceNs);
    }
    return extract();
  }

  /**
   * Extracts until a condition holds, which handlers bring about.
   *
   * @return false when the time has passed
   */
  public boolean await(BooleanSupplier condition, long patienceNs) throws InterruptedException {
    long startNs = node.nowNs();
    long seen = extracted.get(); // before the condition is looked at
    while (!condition.getAsBoolean()) {
      long leftNs = patienceNs - (node.nowNs() - startNs);
      if (leftNs <= 0) {
        return false;
      }
      int _ = extractOrWait(seen, leftNs);
      seen = extracted.get();
    }
    return true;
  }

  private boolean isSomebodyGone() {
    synchronized (gone) {
      return !gone.isEmpty();
    }
  }

  private void drive() {
    take();
    try {
      reportDone();
      sendDeferred();
      boolean _ = node.work();
    } finally {
      node.release();
    }
  }

  private void sendDeferred() {
    if (deferredBytes == 0) {
      return;
    }
    for (Outgoing target : outgoing) {
      if (target != null && target.hasDeferred()) {
        deferredBytes -= target.sendDeferred();
      }
    }
  }

  private void reportDone() {
    for (int i = 0; i < done; i++) {
      Outgoing peer = outgoing[doneFrom[i]];
      if (peer != null) {
        peer.lane.done(doneBytes[i]);
      }
    }
    done = 0;
  }

  private void handleNext() {
    long header = inbox.header();
    int from = inbox.from();
    int length = Records.length(header);
    try {
      handle(header, from, length);
    } finally {
      inbox.remove();
      doneFrom[done] = from;
      doneBytes[done++] = length;
      if (done == DONE_MAX) {
        drive();
      }
    }
  }

  private void handle(long header, int from, int length) {
    Handler handler = handlers.get(Records.handler(header));
    if (handler == null) {
      events.onUnknownHandler(Records.handler(header), from, length);
      return;
    }
    in.open(inbox.memory(), inbox.at(), length);
    try {
      handler.action().onMessage(in, from);
    } catch (Throwable e) {
      events.onHandlerFailed(handler, from, length, e);
    } finally {
      in.close();
    }
  }

  private void tellWhoIsGone() {
    while (true) {
      Gone next;
      synchronized (gone) {
        next = gone.poll();
      }
      if (next == null) {
        return;
      }
      events.onNodeGone(next.node, next.why);
    }
  }

  /**
   * Leaves the cluster, when what was sent has arrived. What has not after some seconds is an
   * event. A second call does nothing.
   */
  @Override
  public void close() {
    if (extractor.isHeldByCurrentThread()) {
      throw new MessageException(Mistake.WRONG_PLACE, "a handler may not close");
    }
    if (!closing.compareAndSet(false, true)) {
      return;
    }
    try {
      settle();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    node.take();
    ended = true;
    long[] undelivered = new long[outgoing.length];
    for (int peer = 0; peer < outgoing.length; peer++) {
      Outgoing target = outgoing[peer];
      undelivered[peer] = target == null ? 0 : target.unsettledBytes();
    }
    node.release();
    node.close();
    tellWhoIsGone(); // nobody extracts any more
    for (int peer = 0; peer < outgoing.length; peer++) {
      if (undelivered[peer] > 0) {
        events.onUndelivered(peer, undelivered[peer]);
      }
    }
  }

  private void settle() throws InterruptedException {
    for (int i = 0; i < SETTLE_LOOKS && !isSettled(); i++) {
      boolean _ = node.await(() -> false, SETTLE_LOOK_NS);
    }
  }

  private boolean isSettled() {
    take();
    try {
      sendDeferred();
      boolean _ = node.work();
      boolean settled = true;
      for (Outgoing target : outgoing) {
        settled &= target == null || target.lane.isEnded() || target.unsettledBytes() == 0;
      }
      return settled;
    } finally {
      node.release();
    }
  }
}

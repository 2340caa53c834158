package io.busbar.messages;

import io.busbar.messages.MessageException.Mistake;
import io.busbar.node.Buffers;
import io.busbar.node.Content;
import io.busbar.node.Lane;
import io.busbar.node.Node;
import io.busbar.node.NodeConfig;
import io.busbar.node.Place;
import io.busbar.wire.Header;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
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
  /** The longest message that goes whole; longer ones start, and their bodies follow. */
  public static final int WHOLE_BYTES_MAX = Lane.RECORD_BYTES_MAX;

  /** The size of a message whose end tells it. */
  public static final long SIZE_UNKNOWN = -1;

  /** The destination that is everyone: all other nodes of the job, or members of the cluster. */
  public static final int EVERYONE = Header.EVERYONE;

  private static final long SETTLE_NS = 5_000_000_000L;
  private static final long SETTLE_LOOK_NS = 1_000_000;

  /** So long a handler of another thread's may still run when messages are closed. */
  private static final long ROLE_NS = 1_000_000_000L;

  /**
   * A handler has waited long enough, and another thread is in one: so long until the next look.
   */
  private static final long DUE_LOOK_NS = 1_000_000;

  private static final String LEFT = "this node has left";

  private final Handlers handlers = new Handlers();
  private final ExtractorRole extractor = new ExtractorRole();
  private final Telling telling;
  private final Targets targets = new Targets();
  private final Deferred deferred;
  private final Arrivals arrivals;
  private final Place node;
  private final Sending sending;
  private final Extraction extraction;

  /** Of the thread that waited last, for the next one; so who waits allocates nothing. */
  private final AtomicReference<@Nullable News> news = new AtomicReference<>();

  private final AtomicBoolean closing = new AtomicBoolean();
  private volatile boolean ended;
  private volatile boolean extractsWhenBlocked = true;

  /** Messages that were dealt with; those who wait for a handler's deed look at it. */
  private long extracted;

  private static final VarHandle EXTRACTED;

  static {
    try {
      EXTRACTED = MethodHandles.lookup().findVarHandle(Messages.class, "extracted", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private long extracted() {
    return (long) EXTRACTED.getAcquire(this);
  }

  /** Joins a cluster, and speaks Fast Messages there. */
  public static Messages join(NodeConfig config, MessageEvents events) throws InterruptedException {
    return over(user -> Node.join(config, user), events);
  }

  /** Speaks Fast Messages at a place. */
  public static Messages over(Place.Opening opening, MessageEvents events)
      throws InterruptedException {
    return new Messages(opening, events);
  }

  private Messages(Place.Opening opening, MessageEvents events) throws InterruptedException {
    this.telling = new Telling(events);
    this.deferred = new Deferred();
    this.arrivals = new Arrivals(targets, this::deferredLeft);
    this.node = opening.open(arrivals);
    this.sending = new Sending(this, node, targets, deferred);
    this.extraction = new Extraction(node, arrivals, deferred, handlers, telling, this::drive);
  }

  private void deferredLeft(long bytes) {
    deferred.left(bytes, node.nowNs());
  }

  /** Takes the driver's role, unless this has ended. */
  void take() {
    node.take();
    if (ended) {
      node.release();
      throw closed();
    }
  }

  private static MessageException closed() {
    return new MessageException(Mistake.WRONG_PLACE, "these messages were closed");
  }

  boolean isInHandler() {
    return extraction.isInHandler();
  }

  /** The place below. */
  public Place node() {
    return node;
  }

  /**
   * How long a sender waits for room before it is refused as timed out; without a word, for ever.
   * An interrupt ends the wait, too.
   */
  public void patience(long ns) {
    sending.patience(ns);
  }

  /**
   * Whether a sender that is blocked outside a handler runs handlers meanwhile, as it does without
   * a word. If not, two nodes that flood each other, and extract nothing meanwhile, stand still.
   */
  public void extractsWhenBlocked(boolean extracts) {
    extractsWhenBlocked = extracts;
  }

  /** What is held at this moment; see {@link Held}. Not inside a handler. */
  public Held held() {
    take();
    try {
      int begun = 0;
      int waiting = 0;
      int stages = 0;
      int channels = 0;
      for (Outgoing target : targets.all()) {
        if (!target.lane.isEnded()) {
          begun += target.begun();
          waiting += target.waitingForChannels();
          stages += target.stagesTaken();
          channels += target.lane.channelsInUse();
        }
      }
      return new Held(
          begun,
          waiting,
          stages,
          channels,
          deferred.bytes(),
          arrivals.coming(),
          arrivals.done.size());
    } finally {
      node.release();
    }
  }

  /** Lives of nodes, this one's broadcasts among them, of which anything is remembered. */
  int lives() {
    take();
    try {
      return arrivals.sources();
    } finally {
      node.release();
    }
  }

  /** Memory that gathers pieces, in use or not, for all nodes that there are or were. */
  int stagesMade() {
    take();
    try {
      return targets.all().stream().mapToInt(Outgoing::stagesMade).sum();
    } finally {
      node.release();
    }
  }

  /**
   * The destination that is all other members of a group; they joined with {@code
   * Discovery.inGroups}. Messages to it, and to {@link #EVERYONE}, arrive in the order in which
   * they were sent to it.
   */
  public int group(String name) {
    return destination(name);
  }

  /**
   * Whether a message to {@link #EVERYONE} costs about as much as one to one node: every carrier
   * gets it once. Not where somebody must be told by himself, or nobody can be.
   */
  public boolean castsAtOnce() {
    take();
    try {
      return node.castsAtOnce();
    } finally {
      node.release();
    }
  }

  private int destination(String group) {
    take();
    try {
      Lane lane = node.broadcast(group);
      if (lane == null) {
        throw new MessageException(
            Mistake.UNKNOWN_NODE, "there is no group among given peers: join with NodeConfig.find");
      }
      return lane.destination();
    } finally {
      node.release();
    }
  }

  // Handlers.

  /** Registers a handler by its name, which is the same on every node. */
  public Handler handler(String name, MessageHandler action) {
    return handlers.add(new Registered(Handler.named(name), action, null, false));
  }

  /** Registers a handler by a number from 0 to 32767, which is the same on every node. */
  public Handler handler(int number, MessageHandler action) {
    return handlers.add(new Registered(Handler.numbered(number), action, null, false));
  }

  /**
   * Registers a handler that always runs on a virtual thread, also if its message is there: so it
   * can wait for something besides its message, with {@link InMessage#await}.
   */
  public Handler waitingHandler(String name, MessageHandler action) {
    return handlers.add(new Registered(Handler.named(name), action, null, true));
  }

  /** Registers a handler that is called for each arrival, by its name. */
  public Handler resumableHandler(String name, ResumableHandler action) {
    return handlers.add(new Registered(Handler.named(name), null, action, false));
  }

  /** Registers a handler that is called for each arrival, by its number. */
  public Handler resumableHandler(int number, ResumableHandler action) {
    return handlers.add(new Registered(Handler.numbered(number), null, action, false));
  }

  // Sending.

  /**
   * Sends a message; when this returns, its bytes may be changed. Waits while the receiver has no
   * room, and extracts meanwhile, unless it is called inside a handler: there it keeps what cannot
   * leave for later, within a bound.
   */
  public void send(int to, Handler handler, MemorySegment from, long at, long length) {
    long _ = Objects.checkFromIndexSize(at, length, from.byteSize());
    if (length <= WHOLE_BYTES_MAX) {
      sending.send(to, handler, from, at, (int) length);
      return;
    }
    try (OutMessage out = sending.begin(to, length, handler)) {
      out.send(from, at, length);
    }
  }

  /** Sends four words. */
  public void send(int to, Handler handler, int one, int two, int three, int four) {
    sending.send(to, handler, one, two, three, four);
  }

  /**
   * Sends a message of at most {@link #WHOLE_BYTES_MAX} bytes if it can leave now, and never waits;
   * false when it cannot.
   */
  public boolean trySend(int to, Handler handler, MemorySegment from, long at, int length) {
    checkWhole(length);
    long _ = Objects.checkFromIndexSize(at, length, from.byteSize());
    return sending.trySend(to, handler, from, at, length);
  }

  private static void checkWhole(int length) {
    if (length < 0 || length > WHOLE_BYTES_MAX) {
      throw new MessageException(
          Mistake.TOO_LONG,
          "a message of %d bytes; allowed, in one piece: %d. Use begin or tryBegin"
              .formatted(length, WHOLE_BYTES_MAX));
    }
  }

  /**
   * Sends a message of at most {@link #WHOLE_BYTES_MAX} bytes that is written straight to where it
   * leaves from, when there is room: no copy of it is made on the way. Waits as the others do.
   */
  public void send(int to, Handler handler, int length, Content content) {
    checkWhole(length);
    sending.send(to, handler, length, content);
  }

  /** Sends such a message if it can leave now, and never waits; false when it cannot. */
  public boolean trySend(int to, Handler handler, int length, Content content) {
    checkWhole(length);
    return sending.trySend(to, handler, length, content);
  }

  /**
   * Begins a message that is sent in pieces. Its handler starts before those of messages that begin
   * later. One that needs a channel has begun when it has one: of more than {@link
   * #WHOLE_BYTES_MAX} bytes, when this returns; in a handler that may be later.
   *
   * @param size its bytes, all pieces together; {@link #SIZE_UNKNOWN} if they are not known yet
   */
  public OutMessage begin(int to, long size, Handler handler) {
    return sending.begin(to, size, handler);
  }

  /**
   * How often room for messages to a node has come: who was refused tries again when that changes.
   * From any thread.
   */
  public long roomCame(int to) {
    return sending.target(to).roomCame();
  }

  /** Begins a message if that needs no waiting; null when it does, as for want of a channel. */
  public @Nullable OutMessage tryBegin(int to, long size, Handler handler) {
    return sending.tryBegin(to, size, handler);
  }

  /**
   * A buffer that can be given away with a message. Its bytes are whatever they were. Up to some
   * 128 KB and as long as the pool has one, it can change its owner; otherwise it will be copied.
   */
  public MessageBuffer buffer(int bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("a buffer of %d bytes".formatted(bytes));
    }
    take();
    try {
      Buffers pool = node.buffers();
      long name = pool == null || bytes > pool.bytesMax() ? Buffers.NONE : pool.allocate(bytes);
      if (pool != null && name != Buffers.NONE) {
        return MessageBuffer.pooled(node, pool.memory(name).asSlice(0, bytes), pool, name);
      }
    } finally {
      node.release();
    }
    return MessageBuffer.plain(node, MessageBuffer.fresh(bytes));
  }

  /**
   * Sends the first bytes of a buffer, and gives the buffer away: over shared memory nothing is
   * copied. After a refusal it is still the caller's.
   */
  public void give(int to, Handler handler, MessageBuffer buffer, int length) {
    buffer.checkOwned();
    long _ = Objects.checkFromIndexSize(0, length, buffer.memory().byteSize());
    if (sending.canPass(to, buffer)) {
      sending.pass(to, handler, buffer, length);
    } else {
      send(to, handler, buffer.memory(), 0, length);
      buffer.close();
    }
  }

  /** Whether there is something that a waiting sender can do, or nothing more to wait for. */
  boolean hasWork() {
    return (canExtractWhileWaiting() && extractor.isFree()) || ended;
  }

  private boolean canExtractWhileWaiting() {
    return extractsWhenBlocked && (canExtract() || extraction.isDue());
  }

  /** Whether there are messages, and their handlers may run. */
  private boolean canExtract() {
    return !arrivals.isEmpty() && !deferred.holdsBack(node);
  }

  /** How long to wait for something, at most: handlers that are held back may run again by then. */
  long waitNs(long patienceNs) {
    long ns = Math.min(patienceNs, Math.max(DUE_LOOK_NS, extraction.dueInNs()));
    return arrivals.isEmpty() ? ns : Math.min(ns, Deferred.STANDS_NS);
  }

  /**
   * What a sender does while it waits: without it two that flood each other would stand still. For
   * another thread that extracts it does not wait: that one's handler may take long, or wait for
   * what is being sent.
   */
  void extractWhileWaiting() {
    if (canExtractWhileWaiting() && extractor.tryTake()) {
      try {
        int _ = extractNow(Long.MAX_VALUE);
      } finally {
        leaveExtractor();
      }
    }
  }

  // Receiving.

  /**
   * Runs the handlers of all messages that are there; how often a handler was called. While much of
   * what handlers have sent waits for room, and some of it leaves, messages wait, too.
   */
  public int extract() {
    return extract(Long.MAX_VALUE);
  }

  /**
   * Runs handlers until their messages had so many bytes, headers included; how often one was
   * called. A second thread waits until the first one is done; an interrupt ends that wait. What a
   * listener throws meanwhile is thrown at the end.
   */
  public int extract(long bytesMax) {
    checkOutside();
    try {
      extractor.take();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MessageException(Mistake.TIMED_OUT, "interrupted while another thread extracts");
    }
    try {
      return extractNow(bytesMax);
    } finally {
      leaveExtractor();
    }
  }

  private void leaveExtractor() {
    if (extractor.leave()) {
      node.tell();
    }
    if (ended) {
      endRest();
      telling.throwKept();
    }
  }

  /**
   * Runs the handler of the next message, and of the next long one of which more has come, if there
   * are such; looks at the network only if there are none. Who waits for one message at a time
   * leaves the others where they are.
   *
   * @param looks so often, until there is something; fewer if another thread has something to send
   * @return how often a handler was called; 0 if there is nothing, or another thread extracts
   */
  public int extractNext(int looks) {
    checkOutside();
    if (!extractor.tryTake()) {
      return 0;
    }
    try {
      if (!canExtract()) {
        drive(looks);
      }
      return finishExtraction(extraction.runNext());
    } finally {
      leaveExtractor();
    }
  }

  private void checkOutside() {
    if (isInHandler()) {
      throw new MessageException(Mistake.WRONG_PLACE, "a handler may neither extract nor close");
    }
    checkNotLooking("neither extract, wait nor close");
  }

  /** Who waits drives for all, and would wait for himself. */
  void checkNotLooking(String mayDo) {
    if (node.isLooking()) {
      throw new MessageException(
          Mistake.WRONG_PLACE, "a condition that is awaited may %s".formatted(mayDo));
    }
  }

  private int extractNow(long bytesMax) {
    boolean waits = !arrivals.isEmpty();
    if (!waits) {
      drive();
    }
    int count = extraction.run(bytesMax); // before the network, if somebody waits for an answer
    if (waits) {
      drive();
    }
    return finishExtraction(count);
  }

  /** As {@link #extractNow}, of one who waits: no look at the network that only takes time. */
  private int extractWaiting(BooleanSupplier enough) {
    int count = 0;
    if (!arrivals.isEmpty()) {
      count = extraction.run(Long.MAX_VALUE);
      if (!node.isFresh() && !enough.getAsBoolean()) {
        drive();
      }
    } else if (!node.isFresh() || extraction.isDue()) {
      drive();
      count = extraction.run(Long.MAX_VALUE);
    } else {
      if (!arrivals.done.isEmpty() || sending.hasDeferred()) {
        report();
      }
      if (extraction.hasConditions()) { // whoever waits may have fulfilled one before
        count = extraction.run(Long.MAX_VALUE);
      }
    }
    return finishExtraction(count);
  }

  private int finishExtraction(int count) {
    if (arrivals.done.isUrgent() || ended) {
      drive(); // or says that these messages were closed meanwhile
    }
    if (arrivals.tidings.isAny()) {
      tellTidings();
    }
    if (count > 0) {
      EXTRACTED.setRelease(this, extracted + count);
      node.tell(); // fences
    }
    telling.throwKept();
    return count;
  }

  /**
   * Waits until a message has come or the time has passed, then extracts; how often a handler was
   * called.
   */
  public int extractOrWait(long patienceNs) throws InterruptedException {
    return extractOrWait(Messages::never, extracted(), patienceNs);
  }

  private static boolean never() {
    return false;
  }

  private int extractOrWait(BooleanSupplier enough, long seen, long patienceNs)
      throws InterruptedException {
    checkOutside();
    long startNs = node.nowNs();
    if (extractor.tryTake()) { // who waits has told before what it is done with
      try {
        int count = extractWaiting(enough);
        if (count > 0) {
          return count;
        }
      } finally {
        leaveExtractor();
      }
    }
    long leftNs = patienceNs;
    do {
      if (!canExtract() || !extractor.isFree()) {
        awaitNews(enough, seen, waitNs(leftNs));
      }
      if (extractor.tryTake()) {
        try {
          return extractWaiting(enough);
        } finally {
          leaveExtractor();
        }
      }
      if (ended) {
        throw closed();
      }
      leftNs = patienceNs - (node.nowNs() - startNs);
    } while (leftNs > 0 && extracted() == seen && !enough.getAsBoolean()); // another one extracts
    return 0;
  }

  private void awaitNews(BooleanSupplier enough, long seen, long patienceNs)
      throws InterruptedException {
    News kept = news.getAndSet(null);
    News unless = kept == null ? new News() : kept;
    unless.enough = enough;
    unless.seen = seen;
    boolean _ = node.await(unless, patienceNs);
    unless.enough = Messages::never; // whatever it holds is the caller's
    news.set(unless);
  }

  /** What a thread that has nothing to extract waits for. */
  private final class News implements BooleanSupplier {
    BooleanSupplier enough = Messages::never;
    long seen;

    @Override
    public boolean getAsBoolean() {
      return (hasNews() && (ended || extractor.isFree()))
          || extracted() != seen
          || enough.getAsBoolean();
    }
  }

  /**
   * Extracts until a condition holds, which handlers bring about. Another thread that does calls
   * {@link #wake}.
   *
   * <p>The condition is looked at often. It may use these messages as far as that waits for
   * nothing: it may try to send or to begin, take and close buffers, and see what is {@link #held}.
   * What extracts, waits (for room, too) or closes is refused as {@link Mistake#WRONG_PLACE}, if it
   * comes to that while this thread drives the network.
   *
   * @return false when the time has passed
   */
  public boolean await(BooleanSupplier condition, long patienceNs) throws InterruptedException {
    long startNs = node.nowNs();
    long seen = extracted(); // before the condition is looked at
    while (!condition.getAsBoolean()) {
      long leftNs = patienceNs - (node.nowNs() - startNs);
      if (leftNs <= 0) {
        return false;
      }
      int _ = extractOrWait(condition, seen, leftNs);
      seen = extracted();
    }
    return true;
  }

  /** Those who wait in {@link #await} look again at what they wait for. From any thread. */
  public void wake() {
    node.tell();
  }

  /** Tells what the extractor is done with, unless another thread extracts, who does it then. */
  void reportDone() {
    if (extractor.tryTake()) {
      try {
        if (!arrivals.done.isEmpty()) {
          drive();
        }
      } finally {
        leaveExtractor();
      }
    }
  }

  /** Reports what is done, without a look at the network. */
  private void report() {
    take();
    try {
      arrivals.reportDone();
      sending.sendDeferred();
    } finally {
      node.release();
    }
  }

  private void drive() {
    drive(1);
  }

  /** Reports what is done and works, until something has come, but no more often than this. */
  private void drive(int looks) {
    take();
    try {
      arrivals.reportDone();
      sending.sendDeferred();
      boolean _ = node.work();
      for (int i = 1; i < looks && !hasNews() && !node.isWanted(); i++) {
        Thread.onSpinWait();
        boolean _ = node.work();
      }
    } finally {
      node.release();
    }
  }

  private boolean hasNews() {
    return canExtract() || arrivals.tidings.isAny() || extraction.isDue() || ended;
  }

  private void tellTidings() {
    for (Consumer<MessageEvents> next = arrivals.tidings.next();
        next != null;
        next = arrivals.tidings.next()) {
      extraction.tell(next);
    }
  }

  // The end.

  /**
   * Leaves the cluster, when what was sent has arrived. What has not after some seconds is an
   * event; messages that were coming end with an exception. A second call does nothing.
   */
  @Override
  public void close() {
    close(SETTLE_NS);
  }

  /**
   * As {@link #close()}, but waits so long until what was sent has arrived. Who waits for ever does
   * so until it has, or those who have not got it are gone.
   */
  public void close(long patienceNs) {
    checkOutside();
    if (!closing.compareAndSet(false, true)) {
      return;
    }
    boolean extracts = false;
    try {
      settle(patienceNs);
      extracts = takeRoleSoon();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      extracts = extractor.tryTake();
    } finally {
      leave(extracts);
    }
    telling.throwKept();
  }

  /** Takes the extractor's role, but does not wait for a handler that never returns. */
  private boolean takeRoleSoon() throws InterruptedException {
    long startNs = node.nowNs();
    boolean taken = extractor.tryTake();
    for (long leftNs = ROLE_NS; !taken && leftNs > 0; leftNs = ROLE_NS + startNs - node.nowNs()) {
      boolean _ = node.await(extractor::isFree, leftNs);
      taken = extractor.tryTake();
    }
    return taken;
  }

  /**
   * Leaves the cluster. If another thread extracts, it ends what waits when its handler returns.
   *
   * @param extracts whether this one has the extractor's role
   */
  private void leave(boolean extracts) {
    Map<Integer, Long> undelivered = new TreeMap<>();
    try {
      if (extracts) {
        endHandlers();
      }
    } finally {
      try {
        end(undelivered);
      } finally {
        closeNode(undelivered, extracts);
      }
    }
  }

  /** Whatever becomes of the place below, threads of handlers end. */
  private void closeNode(Map<Integer, Long> undelivered, boolean extracts) {
    try {
      node.close();
    } finally {
      tellRest(undelivered, extracts);
    }
  }

  private void end(Map<Integer, Long> undelivered) {
    node.take();
    try {
      extraction.stop();
      ended = true;
      for (Outgoing target : targets.all()) {
        boolean isTold = target.lane.isEnded() && target.lane.destination() >= Header.EVERYONE;
        if (target.unsettledBytes() > 0 && !isTold) {
          undelivered.put(target.lane.peer(), target.unsettledBytes());
        }
      }
    } finally {
      node.release();
    }
  }

  private void tellRest(Map<Integer, Long> undelivered, boolean extracts) {
    try {
      for (Consumer<MessageEvents> next = arrivals.tidings.next();
          next != null;
          next = arrivals.tidings.next()) {
        telling.tell(next);
      }
      if (extracts) {
        extraction.tellRest();
      } else {
        endRest(); // if that one has left in between
      }
      undelivered.forEach((node, bytes) -> telling.tell(to -> to.onUndelivered(node, bytes)));
    } finally {
      if (extracts) {
        boolean _ = extractor.leave();
      }
      node.tell();
    }
  }

  /** These messages were closed while another thread extracted: what waits ends, and is told. */
  private void endRest() {
    if (extractor.tryTake()) {
      try {
        extraction.end(LEFT, 0); // what has arrived lies where nobody may look any more
        extraction.tellRest();
      } finally {
        boolean _ = extractor.leave();
      }
    }
  }

  private void settle(long patienceNs) throws InterruptedException {
    long startNs = node.nowNs();
    while (!isSettled() && node.nowNs() - startNs < patienceNs) {
      boolean _ = node.await(() -> false, SETTLE_LOOK_NS);
    }
  }

  private boolean isSettled() {
    take();
    try {
      return sending.isSettled();
    } finally {
      node.release();
    }
  }

  /** Handlers that wait for the rest of their message get an exception. */
  private void endHandlers() {
    try {
      breakAll();
    } finally { // their threads would wait for ever, though the place below failed
      extraction.end(LEFT, Long.MAX_VALUE);
    }
  }

  private void breakAll() {
    take();
    try {
      arrivals.breakAll(LEFT);
    } finally {
      node.release();
    }
  }
}

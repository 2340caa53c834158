package io.busbar.lab.stack;

import io.busbar.lab.Pattern;
import io.busbar.lab.Violation;
import io.busbar.messages.Handler;
import io.busbar.messages.InMessage;
import io.busbar.messages.MessageEvents;
import io.busbar.messages.MessageException;
import io.busbar.messages.MessageException.Mistake;
import io.busbar.messages.Messages;
import io.busbar.node.Lane;
import io.busbar.node.LaneUser;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The program of one process: sends, extracts and answers as its part says, and puts everything
 * into the books.
 */
final class Actor implements MessageEvents {
  private static final int WORDS_BYTES = 16;
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** What handlers may have sent that could not leave yet, as {@code Messages} promises. */
  private static final long DEFERRED_BYTES_MAX = 4 << 20;

  private static final long PATIENCE_NS_MIN = 100_000;
  private static final long PATIENCE_NS_MAX = 1_000_000_000;

  /** A handler of ours threw, as it should. */
  private static final class OnPurpose extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private final Referee referee;
  private final SimProcess process;
  private final Part part;
  private final SplittableRandom random;
  private final Map<Deed, Handler> handlers = new EnumMap<>(Deed.class);
  private final MemorySegment out = MemorySegment.ofArray(new byte[Messages.WHOLE_BYTES_MAX]);
  private final MemorySegment outInside = MemorySegment.ofArray(new byte[Messages.WHOLE_BYTES_MAX]);
  private final MemorySegment got = MemorySegment.ofArray(new byte[Messages.WHOLE_BYTES_MAX]);
  private final BitSet goneTold = new BitSet();
  private @Nullable Messages messages;
  private @Nullable Gauge gauge;
  private boolean handling;
  private boolean leaving;
  private int handled;
  private int thrown;
  private int failuresTold;
  private String state = "begins";
  private boolean content;

  Actor(Referee referee, SimProcess process, Part part) {
    this.referee = referee;
    this.process = process;
    this.part = part;
    this.random = process.random();
  }

  /** The gauge that stands between the place and the messages of this program. */
  Gauge measure(LaneUser user, int size, long perPeerMax, long sumMax) {
    Gauge made = new Gauge(user, process.node(), size, perPeerMax, sumMax);
    gauge = made;
    return made;
  }

  int node() {
    return process.node();
  }

  int size() {
    return fm().node().size();
  }

  SplittableRandom random() {
    return random;
  }

  private Messages fm() {
    if (messages == null) {
      throw new IllegalStateException("node %d has not joined yet".formatted(node()));
    }
    return messages;
  }

  // The life of a program.

  void play(Messages joined) throws InterruptedException {
    messages = joined;
    for (Deed deed : Deed.values()) {
      handlers.put(
          deed,
          deed == Deed.NOBODY
              ? Handler.numbered(deed.handler())
              : joined.handler(deed.handler(), (in, from) -> handle(deed, in, from)));
    }
    state("plays");
    part.play(this);
    if (part.leaves()) {
      state("leaves");
      leaving = true;
      referee.leaves(node());
      referee.note(process, "leaves", node(), 0);
    } else {
      extractUntil(part.calmNs());
      state("greets");
      greetAll();
      state("lingers");
      content = true;
      linger();
      state("closes");
    }
    joined.close();
    content = true;
    state("has ended");
  }

  private void state(String now) {
    state = now;
  }

  /** Whether it has done what it wanted to do. */
  boolean isContent() {
    return content || process.isCrashed();
  }

  /** Takes what comes until a time of the schedule's. */
  void extractUntil(long untilNs) throws InterruptedException {
    while (process.schedule().nowNs() < untilNs) {
      long leftNs = untilNs - process.schedule().nowNs();
      int _ = fm().extractOrWait(Math.min(leftNs, PATIENCE_NS_MAX));
    }
  }

  /** Says something to everybody: who is gone is found out by it. */
  private void greetAll() {
    for (int peer = 0; peer < size(); peer++) {
      if (peer != node()) {
        boolean _ = send(peer, Deed.TAKE, WORDS_BYTES, 0);
      }
    }
  }

  private void linger() throws InterruptedException {
    long patienceNs = PATIENCE_NS_MIN;
    while (!referee.isClosing()) {
      patienceNs = fm().extractOrWait(patienceNs) > 0 ? PATIENCE_NS_MIN : 2 * patienceNs;
      if (patienceNs > PATIENCE_NS_MAX) {
        patienceNs = PATIENCE_NS_MAX;
        greetTheDoubtful();
      }
    }
  }

  /** Who took a message and stopped before it was read is found out by the next one. */
  private void greetTheDoubtful() {
    for (int peer = 0; peer < size(); peer++) {
      if (peer != node() && referee.isDoubtful(process, peer)) {
        boolean _ = trySend(peer, Deed.TAKE, WORDS_BYTES);
      }
    }
  }

  // What a part is made of.

  int extract(long bytesMax) {
    return fm().extract(bytesMax);
  }

  void extractOrWait(long patienceNs) throws InterruptedException {
    int _ = fm().extractOrWait(patienceNs);
  }

  /** Waits until so many messages more were handled here. */
  void awaitHandled(int more, long patienceNs) throws InterruptedException {
    int wanted = handled + more;
    boolean _ = fm().await(() -> handled >= wanted, patienceNs);
  }

  /** Does something else for a while. */
  void compute(long ns) {
    process.pass(ns);
  }

  /** Sends, and waits if it must; false when it was refused. */
  boolean send(int to, Deed deed, int length, int hops) {
    return send(to, deed, length, hops, false);
  }

  /** Sends if it can be done at once. */
  boolean trySend(int to, Deed deed, int length) {
    return send(to, deed, length, 0, true);
  }

  private boolean send(int to, Deed deed, int length, int hops, boolean onlyTry) {
    Book book = referee.books().of(process, to);
    Sent draft = draft(book, deed, length, hops);
    MemorySegment memory = handling ? outInside : out;
    Pattern.write(memory, 0, draft.length(), draft.id(), 0);
    boolean inside = handling;
    try {
      if (!give(to, draft, memory, onlyTry)) {
        return false;
      }
    } catch (MessageException e) {
      onRefused(to, inside, e);
      return false;
    }
    book.add(draft);
    referee.note(process, "sends to", to, draft.id());
    checkDeferred();
    return true;
  }

  /** The first message of a book says which life wrote it. */
  private Sent draft(Book book, Deed deed, int length, int hops) {
    boolean first = book.sent() == 0;
    Deed what = first && (deed == Deed.NOBODY || deed == Deed.HALF) ? Deed.TAKE : deed;
    int bytes = what == Deed.WORDS ? WORDS_BYTES : first ? Math.max(length, WORDS_BYTES) : length;
    return referee.books().draft(what, bytes, hops);
  }

  private boolean give(int to, Sent draft, MemorySegment memory, boolean onlyTry) {
    Handler handler = handlers.get(draft.deed());
    if (handler == null) {
      throw new IllegalStateException("no handler for " + draft.deed());
    }
    if (draft.deed() == Deed.WORDS) {
      fm().send(
              to,
              handler,
              memory.get(INT, 0),
              memory.get(INT, 4),
              memory.get(INT, 8),
              memory.get(INT, 12));
      return true;
    }
    if (onlyTry) {
      return fm().trySend(to, handler, memory, 0, draft.length());
    }
    fm().send(to, handler, memory, 0, draft.length());
    return true;
  }

  /** A node that is gone, or too much sent inside handlers: nothing else is a reason to refuse. */
  private void onRefused(int to, boolean inside, MessageException why) {
    if (why.mistake() == Mistake.NODE_GONE) {
      referee.onGone(process, to, String.valueOf(why.getMessage()));
      referee.note(process, "is refused by", to, 0);
    } else if (why.mistake() == Mistake.TOO_MUCH_DEFERRED && inside) {
      referee.onRefused();
      referee.note(process, "defers too much for", to, 0);
    } else {
      throw why;
    }
  }

  /** What was taken from us and not by the lanes waits in memory: within its bound. */
  private void checkDeferred() {
    long deferred = 0;
    for (int peer = 0; peer < size(); peer++) {
      Lane lane = fm().node().lane(peer);
      if (lane != null && !lane.isEnded()) {
        deferred += referee.books().of(process, peer).acceptedBytes() - lane.bytesOut();
      }
    }
    Promise.check(
        deferred <= DEFERRED_BYTES_MAX,
        "memory within its bound",
        "handlers of node %d have sent %d bytes that could not leave",
        node(),
        deferred);
  }

  // Handlers.

  private void handle(Deed deed, InMessage in, int from) {
    int length = (int) in.length();
    int wanted = deed == Deed.HALF ? random.nextInt(length + 1) : length;
    readInPieces(in, wanted);
    Sent sent = arrived(deed, from, length, wanted);
    handling = true;
    try {
      part.react(this, sent, from);
    } finally {
      handling = false;
    }
    if (deed == Deed.THROW) {
      thrown++;
      throw new OnPurpose();
    }
  }

  private void readInPieces(InMessage in, int wanted) {
    int read = 0;
    while (read < wanted) {
      int left = wanted - read;
      int piece = random.nextInt(3) == 0 ? left : 1 + random.nextInt(left);
      in.receive(got, read, piece);
      read += piece;
    }
    Promise.check(
        in.remaining() == in.length() - wanted,
        "complete and unchanged",
        "%d bytes remain of %d after %d were read",
        in.remaining(),
        in.length(),
        wanted);
  }

  private Sent arrived(Deed deed, int from, int length, int read) {
    if (gauge != null) {
      gauge.onHandled(from, length);
    }
    Sent sent = referee.books().onArrival(process, from, deed, length, got, read);
    handled++;
    referee.note(process, "gets from", from, sent.id());
    return sent;
  }

  // Events.

  @Override
  public void onHandlerFailed(Handler handler, int from, long bytes, Throwable why) {
    if (why instanceof Violation violation) {
      referee.fail(violation);
    } else if (why instanceof OnPurpose) {
      failuresTold++;
    } else if (!(why instanceof Crashed)) {
      referee.fail(new Violation("no exception", "in a handler: " + why));
    }
  }

  @Override
  public void onUnknownHandler(int number, int from, long bytes) {
    Promise.check(
        number == Deed.NOBODY.handler(),
        "complete and unchanged",
        "a message of node %d to node %d names handler %d, which nobody named",
        from,
        node(),
        number);
    Sent _ = arrived(Deed.NOBODY, from, (int) bytes, 0);
  }

  @Override
  public void onNodeGone(int node, String why) {
    referee.note(process, "loses", node, 0);
    Promise.check(
        !goneTold.get(node), "every event once", "node %d lost node %d twice", node(), node);
    goneTold.set(node);
    referee.onGone(process, node, why);
  }

  @Override
  public void onUndelivered(int node, long bytes) {
    referee.note(process, "could not deliver to", node, bytes);
    referee.onUndelivered(process, node, bytes);
  }

  /** What must hold when all is over. */
  void checkEnd() {
    Promise.check(
        process.isCrashed() || thrown == failuresTold,
        "every event once",
        "%d handlers of node %d threw, %d times it was told",
        thrown,
        node(),
        failuresTold);
    for (Book book : referee.books().all()) {
      boolean refused = book.from().equals(process) && book.isGone() && !process.isCrashed();
      Promise.check(
          !refused || goneTold.get(book.to()),
          "every event once",
          "%s: it was refused, and nobody said that the node is gone",
          book);
    }
  }

  @Override
  public String toString() {
    return "node %d %s%s".formatted(node(), state, leaving ? " of its own will" : "");
  }
}

package io.busbar.lab.stack;

import io.busbar.messages.Handler;
import io.busbar.messages.Held;
import io.busbar.messages.MessageEvents;
import io.busbar.messages.Messages;
import io.busbar.node.LaneUser;
import java.util.BitSet;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The program of one process: sends, extracts and answers as its part says, and puts everything
 * into the books.
 */
final class Actor implements MessageEvents {
  private static final int GREETING_BYTES = 16;
  private static final long PATIENCE_NS_MIN = 100_000;
  private static final long PATIENCE_NS_MAX = 1_000_000_000;

  private final Referee referee;
  private final SimProcess process;
  private final Part part;
  private final SplittableRandom random;
  private final BitSet goneTold = new BitSet();
  private @Nullable Messages messages;
  private @Nullable Listener listener;
  private @Nullable Speaker speaker;
  private boolean leaving;
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
    listener = new Listener(referee, process, made, this::react);
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

  private <T> T joined(@Nullable T thing) {
    if (thing == null) {
      throw new IllegalStateException("node %d has not joined yet".formatted(node()));
    }
    return thing;
  }

  private Messages fm() {
    return joined(messages);
  }

  private Listener ear() {
    return joined(listener);
  }

  private Speaker mouth() {
    return joined(speaker);
  }

  // The life of a program.

  /** Plays its part to the end, or until the process crashes: then its threads end, too. */
  void play(Messages joined) throws InterruptedException {
    try {
      playWhole(joined);
    } catch (Crashed e) {
      endHandlers(joined);
      throw e;
    }
  }

  private static void endHandlers(Messages ofCrashed) {
    try {
      ofCrashed.close();
    } catch (Crashed expected) {
      // its place does nothing any more
    }
  }

  private void playWhole(Messages joined) throws InterruptedException {
    messages = joined;
    speaker = new Speaker(referee, process, joined);
    ear().register(joined);
    state("plays");
    part.play(this);
    patience(Long.MAX_VALUE);
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
      checkRest();
      referee.leaves(node());
    }
    ear().onClosing();
    joined.close();
    content = true;
    state("has ended");
    ear().checkEnd();
  }

  private void state(String now) {
    state = now;
  }

  /** Whether it has done what it wanted to do. */
  boolean isContent() {
    return content || process.isCrashed();
  }

  /** Whether a handler of it waits for more. */
  boolean isHearingSomebody() {
    return !process.isCrashed() && listener != null && !listener.open().isEmpty();
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
        boolean _ = send(peer, Deed.TAKE, GREETING_BYTES, 0);
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

  /**
   * Who took a message and stopped before it was read is found out by the next one; so is who
   * stopped in the middle of one, or did not say any more that it is done with one.
   */
  private void greetTheDoubtful() {
    boolean holds = !fm().held().isNothing();
    for (int peer = 0; peer < size(); peer++) {
      boolean silent = referee.mayBeSilent(peer) && (holds || ear().isHearing(peer));
      if (peer != node() && (silent || referee.isDoubtful(process, peer))) {
        boolean _ = trySend(peer, Deed.TAKE, GREETING_BYTES);
      }
    }
  }

  /** When nothing is left to be done, nothing is held for it. */
  private void checkRest() {
    Held held = fm().held();
    Promise.check(
        held.isNothing(),
        "nothing is held at rest",
        "node %d: %s, and everything has arrived",
        node(),
        held);
    SimPlace place = process.place();
    Promise.check(
        place == null || place.claims() == 0,
        "nothing is held at rest",
        "node %d keeps frames, and everything was handled",
        node());
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
    int wanted = ear().handled() + more;
    boolean _ = fm().await(() -> ear().handled() >= wanted, patienceNs);
  }

  /** Does something else for a while. */
  void compute(long ns) {
    process.pass(ns);
  }

  /** How long sends wait from now on. */
  void patience(long ns) {
    mouth().patience(ns);
  }

  /** Sends, and waits if it must; false when it was refused. */
  boolean send(int to, Deed deed, long length, int hops) {
    return mouth().send(to, deed, length, hops);
  }

  /** Sends if it can be done at once. */
  boolean trySend(int to, Deed deed, int length) {
    return mouth().trySend(to, deed, length);
  }

  /** Begins a message; null when it was refused, or has to wait and shall not. */
  @Nullable Speech begin(int to, Deed deed, long size, int hops, boolean onlyTry) {
    return mouth().begin(to, deed, size, hops, onlyTry);
  }

  private void react(Sent message, int from) {
    mouth().inside(true);
    try {
      part.react(this, message, from);
    } finally {
      mouth().inside(false);
    }
  }

  // Events.

  @Override
  public void onHandlerFailed(Handler handler, int from, long bytes, Throwable why) {
    ear().onFailed(handler, from, bytes, why);
  }

  @Override
  public void onUnknownHandler(int number, int from, long bytes) {
    ear().onUnknown(number, from, bytes);
  }

  @Override
  public void onNodeGone(int node, String why) {
    referee.note(process, "loses", node, 0);
    Promise.check(
        !goneTold.get(node), "every event once", "node %d lost node %d twice", node(), node);
    goneTold.set(node);
    ear().letGo(node);
    referee.onGone(process, node, why);
  }

  @Override
  public void onUndelivered(int node, long bytes) {
    referee.note(process, "could not deliver to", node, bytes);
    referee.onUndelivered(process, node, bytes);
  }

  /** What must hold when all is over. */
  void checkEnd() {
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
    return "node %d %s%s%s"
        .formatted(
            node(),
            state,
            leaving ? " of its own will" : "",
            isHearingSomebody() ? ", in the middle of " + ear().open() : "");
  }
}

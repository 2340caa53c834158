package io.busbar.lab.stack;

import io.busbar.lab.TraceHash;
import io.busbar.lab.Violation;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Judges a run: keeps the books, knows who had a reason to be lost, and says when it is over. */
final class Referee {
  private final Stack stack;
  private final TraceHash trace;
  private final @Nullable Consumer<String> story;
  private final Books books = new Books();
  private final List<Actor> actors = new ArrayList<>();
  private final BitSet left = new BitSet();
  private final BitSet isolated = new BitSet();
  private @Nullable Violation violation;
  private boolean closing;
  private long refusals;
  private long losses;
  private long brokenOff;
  private long timedOut;

  /**
   * A referee.
   *
   * @param story gets what programs do, a line each; null when nobody reads it
   */
  Referee(Stack stack, TraceHash trace, @Nullable Consumer<String> story) {
    this.stack = stack;
    this.trace = trace;
    this.story = story;
  }

  Books books() {
    return books;
  }

  void add(Actor actor) {
    actors.add(actor);
  }

  // What happens.

  /** Something happened to a program; said only if somebody reads it. */
  void note(SimProcess at, String what, int peer, long which) {
    trace.on(at.nowNs(), what.hashCode() * 31L + at.node(), which * 31 + peer);
    if (story != null) {
      story.accept(
          String.format(
              Locale.ROOT,
              "%14.3f  %-9s  node %d %s %d #%d",
              at.schedule().nowNs() / 1e3,
              "",
              at.node(),
              what,
              peer,
              which));
    }
  }

  /** The first violation counts. */
  void fail(Violation why) {
    if (violation == null) {
      violation = why;
    }
  }

  @Nullable Violation violation() {
    return violation;
  }

  void onRefused() {
    refusals++;
  }

  /** Sends that were refused because handlers had sent too much. */
  long refusals() {
    return refusals;
  }

  void onBrokenOff() {
    brokenOff++;
  }

  /** Messages whose handlers had begun and were broken off. */
  long brokenOff() {
    return brokenOff;
  }

  void onTimedOut() {
    timedOut++;
  }

  /** Sends that were given up because nobody made room for them. */
  long timedOut() {
    return timedOut;
  }

  /** Nodes that programs were told to be gone. */
  long losses() {
    return losses;
  }

  // Reasons.

  /** A node leaves of its own will. */
  void leaves(int node) {
    left.set(node);
  }

  /** A node may lose others, and others it, because no frame passes for too long. */
  void isolate(int node) {
    isolated.set(node);
  }

  /** Whether a node has stopped, for a while or for good. */
  private boolean hasStopped(int node) {
    SimProcess now = stack.process(node);
    return left.get(node) || now.life() > 0 || now.isCrashed();
  }

  /** Whether there is a reason for two nodes to lose each other. */
  boolean hasReason(int a, int b) {
    return hasStopped(a) || hasStopped(b) || isolated.get(a) || isolated.get(b);
  }

  /** A program is told that a node is gone: once, and not without a reason. */
  void onGone(SimProcess told, int node, String why) {
    Promise.check(
        hasReason(told.node(), node),
        "no loss without a reason",
        "node %d was told that node %d is gone (%s), and both live as ever",
        told.node(),
        node,
        why);
    Book book = books.of(told, node);
    losses += book.isGone() ? 0 : 1;
    book.onGone(why);
  }

  /** A program that closes is told that not everything has arrived. */
  void onUndelivered(SimProcess told, int node, long bytes) {
    Book book = books.of(told, node);
    Promise.check(
        left.get(told.node()) || hasReason(told.node(), node),
        "close waits for what was sent",
        "%s: %d bytes are called undelivered",
        book,
        bytes);
    book.onUndelivered();
  }

  // The end.

  /** All has arrived that was sent, or those who sent it know better, or they are no more. */
  private boolean isSettled(Book book) {
    boolean bothWent = book.from().isEnded() && hasStopped(book.to());
    return book.isComplete() || book.isTold() || book.from().isCrashed() || bothWent;
  }

  /** Whether every program has done what it wanted, and every book is settled. */
  boolean isOver() {
    for (SimProcess process : stack.processes()) {
      if (process.isToStart()) {
        return false;
      }
    }
    for (Actor actor : actors) {
      if (!actor.isContent() || actor.isHearingSomebody()) {
        return false;
      }
    }
    for (Book book : books.all()) {
      if (!isSettled(book)) {
        return false;
      }
    }
    return true;
  }

  /** Whether a node may have stopped without reading what a process sent to it. */
  boolean isDoubtful(SimProcess from, int to) {
    return hasStopped(to) && !isSettled(books.of(from, to));
  }

  /** Whether a node may have stopped in the middle of a message. */
  boolean mayBeSilent(int node) {
    return hasStopped(node) || isolated.get(node);
  }

  /** All programs may close now. */
  void close() {
    closing = true;
  }

  boolean isClosing() {
    return closing;
  }

  boolean haveAllEnded() {
    for (SimProcess process : stack.processes()) {
      if (!process.isEnded() && !process.isCrashed()) {
        return false;
      }
    }
    return true;
  }

  /** What keeps a run from its end. */
  Violation unfinished() {
    List<String> open = new ArrayList<>();
    for (Actor actor : actors) {
      if (!actor.isContent() || actor.isHearingSomebody()) {
        open.add(actor.toString());
      }
    }
    for (Book book : books.all()) {
      if (!isSettled(book)) {
        open.add(book.toString());
      }
    }
    return new Violation("every program ends", "not over: " + open);
  }

  /** Everything is settled at the end as it was before the programs closed. */
  void checkEnd() {
    for (Actor actor : actors) {
      actor.checkEnd();
    }
    if (!isOver()) {
      throw unfinished();
    }
  }
}

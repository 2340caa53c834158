package io.busbar.messages;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the program is to be told by who extracts, and stands between no messages: put in by whoever
 * drives, taken out by the extractor. Of who comes and goes no more than a bound is kept: beyond it
 * the oldest is dropped, and how many were is told first. From any thread.
 */
final class Tidings {
  /** A member that comes and goes costs three; some 100 KB. */
  static final int PASSING_MAX = 1024;

  private record Tiding(Consumer<MessageEvents> what, boolean passing) {}

  private final ArrayDeque<Tiding> waiting = new ArrayDeque<>();
  private int passing;
  private long dropped;
  private volatile boolean any;

  /** Something to tell; there are few such. */
  synchronized void add(Consumer<MessageEvents> what) {
    waiting.add(new Tiding(what, false));
    any = true;
  }

  /** Something to tell that later ones may replace. */
  synchronized void addPassing(Consumer<MessageEvents> what) {
    if (passing == PASSING_MAX) {
      drop();
    }
    waiting.add(new Tiding(what, true));
    passing++;
    any = true;
  }

  private void drop() {
    Iterator<Tiding> oldest = waiting.iterator();
    while (!oldest.next().passing) {}
    oldest.remove();
    passing--;
    dropped++;
  }

  boolean isAny() {
    return any;
  }

  /** What the program has not been told, one after the other; null when it knows all. */
  synchronized @Nullable Consumer<MessageEvents> next() {
    if (dropped > 0) {
      String what = droppedInWords();
      dropped = 0;
      return program -> program.onWarning(what);
    }
    Tiding next = waiting.poll();
    any = !waiting.isEmpty();
    passing -= next != null && next.passing ? 1 : 0;
    return next == null ? null : next.what;
  }

  private String droppedInWords() {
    return "%d events of members were dropped, because nobody extracted: of the last %d the program is told, and node().members() says who is there"
        .formatted(dropped, PASSING_MAX);
  }
}

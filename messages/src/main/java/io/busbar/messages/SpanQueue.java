package io.busbar.messages;

import org.jspecify.annotations.Nullable;

/**
 * Spans in order, from whoever drives to whoever extracts: one thread puts, one takes. The link
 * that was taken last stays until the next one is taken; then the driver gets it back.
 */
final class SpanQueue {
  private Span last;
  private Span taken;

  /** An empty queue, with a link to begin with. */
  SpanQueue(Span first) {
    last = first;
    taken = first;
  }

  /** The driver's. */
  void put(Span span) {
    last.next = span;
    last = span;
  }

  boolean isEmpty() {
    return taken.next == null;
  }

  /** Takes the next span, which is read until the next call; the extractor's. */
  @Nullable Span take(Done done) {
    Span next = taken.next;
    if (next != null) {
      done.unlink(taken);
      taken = next;
    }
    return next;
  }

  /** The queue is of no further use: its last link is given back. */
  void dissolve(Done done) {
    done.unlink(taken);
  }
}

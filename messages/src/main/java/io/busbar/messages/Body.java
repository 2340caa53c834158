package io.busbar.messages;

import io.busbar.node.Lane;
import org.jspecify.annotations.Nullable;

/**
 * A long message that is coming: what has arrived of it waits here until its handler takes it. The
 * driver fills it, the extractor empties it.
 */
final class Body {
  final int from;

  /** The tag of the lane by which it comes. */
  final int source;

  final long name;
  final SpanQueue spans;

  /** What the lane hears of when it is done; of a message that came whole and waits. */
  final int wholeBytes;

  // The driver's, looked at by the extractor.
  private volatile long arrived;
  private volatile boolean complete;
  private volatile @Nullable String broken;

  /** Whether its handler wants no more; the driver's. */
  boolean unwanted;

  /** Whether it waits for the extractor already; under the lock of {@link Readiness}. */
  boolean queued;

  /** Whether its START has come; the driver's. */
  boolean started;

  /** Bytes that its handler had received before it waited here; the extractor's. */
  long receivedBefore;

  /** The message, once its handler has begun; the extractor's. */
  @Nullable InMessage message;

  Body(int from, int source, long name, Span first) {
    this(from, source, name, first, 0);
  }

  /** A message that came whole, and whose handler waits: its room in the lane stays taken. */
  static Body whole(int from, int source, Span rest, int wholeBytes) {
    Body body = new Body(from, source, Lane.NO_BODY, new Span(), wholeBytes);
    body.onSpan(rest);
    body.onLast();
    return body;
  }

  private Body(int from, int source, long name, Span first, int wholeBytes) {
    this.from = from;
    this.source = source;
    this.name = name;
    this.spans = new SpanQueue(first);
    this.wholeBytes = wholeBytes;
  }

  boolean isWhole() {
    return name == Lane.NO_BODY;
  }

  /** More has come; the driver's. */
  void onSpan(Span span) {
    spans.put(span);
    long now = arrived + span.length;
    arrived = now;
  }

  /** All has come. */
  void onLast() {
    complete = true;
  }

  /** Nothing more will come, though something is missing. */
  void onBroken(String why) {
    if (!complete && broken == null) {
      broken = why;
    }
  }

  /** Nobody will take the rest, though it may have come; the extractor's. */
  void onLeft(String why) {
    if (broken == null) {
      broken = why;
    }
  }

  /** Bytes that have come so far. */
  long arrivedBytes() {
    return arrived;
  }

  /** Whether all has come; asked before {@link #arrivedBytes}, that is final. */
  boolean isComplete() {
    return complete;
  }

  /** Why the rest will not come; null while it may. */
  @Nullable String broken() {
    return broken;
  }
}

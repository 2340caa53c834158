package io.busbar.messages;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** Long messages in progress of which more has come, in the order in which it came. */
final class Readiness {
  private final ArrayDeque<Body> bodies = new ArrayDeque<>();
  private volatile int size;

  /** There is something to do for a message; from any thread. */
  synchronized void add(Body body) {
    if (!body.queued) {
      body.queued = true;
      bodies.add(body);
      size = bodies.size();
    }
  }

  boolean isEmpty() {
    return size == 0;
  }

  int size() {
    return size;
  }

  /** The next one; the extractor's. */
  synchronized @Nullable Body next() {
    Body body = bodies.poll();
    if (body != null) {
      body.queued = false;
      size = bodies.size();
    }
    return body;
  }
}

package io.busbar.messages;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells the program what happened. What its listener throws harms nobody who tells: it is kept, and
 * thrown when the extractor is done with what it does. From any thread.
 */
final class Telling {
  private final MessageEvents program;

  /** What was thrown first; the others are with it. */
  private volatile @Nullable Throwable kept;

  Telling(MessageEvents program) {
    this.program = program;
  }

  /** Tells one thing. */
  void tell(Consumer<MessageEvents> what) {
    try {
      what.accept(program);
    } catch (Throwable e) {
      keep(e);
    }
  }

  /** Keeps what was thrown where it could not go on. */
  synchronized void keep(Throwable thrown) {
    Throwable first = kept;
    if (first == null) {
      kept = thrown;
    } else if (!first.equals(thrown)) {
      first.addSuppressed(thrown);
    }
  }

  /** Throws what was kept, if anything was. */
  void throwKept() {
    if (kept != null) {
      throwTaken();
    }
  }

  private void throwTaken() {
    Throwable thrown;
    synchronized (this) {
      thrown = kept;
      kept = null;
    }
    if (thrown != null) {
      throw again(thrown);
    }
  }

  /** What another thread, or another one's code, has thrown; an error is thrown. */
  static RuntimeException again(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    return thrown instanceof RuntimeException plain ? plain : new IllegalStateException(thrown);
  }
}

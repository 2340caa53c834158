package io.busbar.messages;

import java.io.Serial;

/** A message that cannot be sent or received as it was asked for; says why. */
public final class MessageException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  /** Why. */
  public enum Mistake {
    /** There is no such node, or it is this one. */
    UNKNOWN_NODE,
    /** The node is dead, or lives another life. */
    NODE_GONE,
    /** Longer than a message may be. */
    TOO_LONG,
    /** More was asked for than the message holds. */
    PAST_END,
    /** A handler sent so much that could not leave that no more can be kept for later. */
    TOO_MUCH_DEFERRED,
    /** Two handlers have one number. */
    HANDLER_TAKEN,
    /** Not here: inside a handler, after the end, by another thread. */
    WRONG_PLACE,
    /** The wait for room was ended. */
    TIMED_OUT
  }

  private final Mistake mistake;

  /** With the kind and the words. */
  public MessageException(Mistake mistake, String message) {
    super(message);
    this.mistake = mistake;
  }

  /** Why. */
  public Mistake mistake() {
    return mistake;
  }
}

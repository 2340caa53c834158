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
    /** Longer than it may be. */
    TOO_LONG,
    /** More was given than the size that was announced. */
    SIZE_EXCEEDED,
    /** Less was given than the size that was announced: the message was broken off. */
    SIZE_UNDERSHOT,
    /** The message was ended before. */
    AFTER_END,
    /** The rest of the message will not come: its sender broke it off, died or left. */
    BROKEN_OFF,
    /** What was asked for has not arrived yet. */
    NOT_ARRIVED,
    /** More was asked for than the message holds. */
    PAST_END,
    /** So many messages have begun and not ended that no more can. */
    TOO_MANY_OPEN,
    /** A handler sent so much that could not leave that no more can be kept for later. */
    TOO_MUCH_DEFERRED,
    /** A handler cannot have that number. */
    UNKNOWN_HANDLER,
    /** A buffer that is not the caller's any more. */
    NOT_OWNED,
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

package io.busbar.transport;

/** A caller's mistake, or a refusal, with its name. Nothing was changed. */
public final class TransportException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What kind of mistake. */
  public enum Mistake {
    /** The handle names no association of this transport. */
    UNKNOWN_ASSOCIATION,
    /** The handle named one that has ended. */
    ASSOCIATION_ENDED,
    /** The stream was closed for writing. */
    WRITE_CLOSED,
    /** The operation does not belong to this service level. */
    WRONG_SERVICE,
    /** An argument out of its bounds. */
    BAD_ARGUMENT,
    /** More was given back than was held. */
    NOT_OWNED,
    /** No slot is free for another association or context. */
    NO_SLOT,
    /** Too many associations to this peer wait for their first answer. */
    TOO_MANY_OPENING,
    /** A context that does not listen. */
    NOT_LISTENING
  }

  private final Mistake mistake;

  TransportException(Mistake mistake, String what) {
    super(what);
    this.mistake = mistake;
  }

  /** What kind of mistake. */
  public Mistake mistake() {
    return mistake;
  }
}

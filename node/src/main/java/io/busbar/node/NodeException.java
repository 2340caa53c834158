package io.busbar.node;

import java.io.Serial;

/** A node that cannot join, or cannot reach another; the message says what to do. */
public final class NodeException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  /** With what happened, where, and what to do about it. */
  public NodeException(String message) {
    super(message);
  }

  /** The same, and what caused it. */
  public NodeException(String message, Throwable cause) {
    super(message, cause);
  }
}

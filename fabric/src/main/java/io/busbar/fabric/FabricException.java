package io.busbar.fabric;

/** A way that cannot be opened, or an interface that cannot be made; says what to do. */
public final class FabricException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** With a message that says what, where, and what to do. */
  public FabricException(String message) {
    super(message);
  }

  /** The same, and the reason below it. */
  public FabricException(String message, Throwable cause) {
    super(message, cause);
  }
}

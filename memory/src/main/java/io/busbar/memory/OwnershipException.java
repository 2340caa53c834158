package io.busbar.memory;

/** A buffer was used by who does not hold it. Nothing was changed. */
public final class OwnershipException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  OwnershipException(String what) {
    super(what);
  }
}

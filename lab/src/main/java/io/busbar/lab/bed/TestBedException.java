package io.busbar.lab.bed;

/** A test bed could not do what it was told; the message has the command and all that it said. */
public final class TestBedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  TestBedException(String message) {
    super(message);
  }

  TestBedException(String message, Throwable cause) {
    super(message, cause);
  }

  /** The waiting thread was interrupted, and stays so. */
  static TestBedException interrupted(String what, InterruptedException cause) {
    Thread.currentThread().interrupt();
    return new TestBedException("interrupted while waiting for " + what, cause);
  }
}

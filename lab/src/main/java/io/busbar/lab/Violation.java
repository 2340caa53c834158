package io.busbar.lab;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;

/** A promise was broken. */
public final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String promise;

  /** A promise, by its name, and how it was broken. */
  public Violation(String promise, String what) {
    super(promise + ": " + what);
    this.promise = promise;
  }

  /** The promise's name. */
  public String promise() {
    return promise;
  }

  @FormatMethod
  static void check(boolean holds, String promise, @FormatString String what, Object... values) {
    if (!holds) {
      throw new Violation(promise, what.formatted(values));
    }
  }
}

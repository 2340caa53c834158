package io.busbar.lab.mpi;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import io.busbar.lab.Violation;

/** What is promised, by its name, is looked after here. */
final class Promise {
  private Promise() {}

  /** Throws a {@link Violation} unless something holds. */
  @FormatMethod
  static void check(boolean holds, String promise, @FormatString String what, Object... values) {
    if (!holds) {
      throw new Violation(promise, what.formatted(values));
    }
  }

  /** What is thrown for a promise that was broken. */
  static Violation broken(String promise, String what) {
    return new Violation(promise, what);
  }
}

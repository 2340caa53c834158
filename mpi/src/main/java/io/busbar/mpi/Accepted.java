package io.busbar.mpi;

import io.busbar.mpi.MpiError.Kind;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Which classes of objects may be read from messages: those of a pattern, as {@code
 * jdk.serialFilter} has it, and a few of the JDK, if the pattern does not exclude them; no others.
 * Without a pattern all may: ranks of a job are one program.
 */
final class Accepted implements ObjectInputFilter {
  /** Holds the pattern. */
  static final String PATTERN = "BUSBAR_MPI_OBJECTS";

  /** Texts, numbers, collections and times; and nothing else that the pattern has not named. */
  private static final String REST =
      ";java.lang.Object;java.lang.String;java.lang.Number;java.lang.Boolean;java.lang.Character"
          + ";java.lang.Byte;java.lang.Short;java.lang.Integer;java.lang.Long;java.lang.Float"
          + ";java.lang.Double;java.lang.Enum;java.math.*;java.time.*;java.util.*;!*";

  private final @Nullable ObjectInputFilter filter;
  private @Nullable Class<?> refused;

  /** With a pattern; null or empty: all classes may. */
  Accepted(@Nullable String pattern) {
    try {
      filter =
          pattern == null || pattern.isBlank()
              ? null
              : ObjectInputFilter.Config.createFilter(pattern.strip() + REST);
    } catch (IllegalArgumentException e) {
      throw new MpiError(
          Kind.ARG, "%s=%s is no pattern: %s".formatted(PATTERN, pattern, e.getMessage()), e);
    }
  }

  /** As the environment of this process says. */
  static Accepted ofProcess() {
    return new Accepted(System.getenv(PATTERN));
  }

  /** Lets a stream read nothing else; without a pattern, what the JVM was told still holds. */
  void guard(ObjectInputStream in) {
    if (filter != null) {
      in.setObjectInputFilter(this);
    }
  }

  @Override
  public Status checkInput(FilterInfo info) {
    Status status = filter == null ? Status.UNDECIDED : filter.checkInput(info);
    if (status == Status.REJECTED && refused == null) {
      refused = info.serialClass();
    }
    return status;
  }

  /** Why an object cannot be read. */
  MpiError error(InvalidClassException why) {
    Class<?> named = refused;
    return new MpiError(
        Kind.TYPE,
        named == null
            ? "an object cannot be read: %s".formatted(why.getMessage())
            : "an object of %s was refused, see %s".formatted(named.getTypeName(), PATTERN),
        why);
  }
}

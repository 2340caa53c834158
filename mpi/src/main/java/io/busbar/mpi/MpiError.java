package io.busbar.mpi;

import java.io.Serial;

/** Why a call of MPI failed; the program can go on. */
public final class MpiError extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  /** Error classes, with the numbers that the standard's C bindings commonly have. */
  public enum Kind {
    /** The memory is too small, or of no kind that can be sent. */
    BUFFER,
    /** A count is negative. */
    COUNT,
    /** A datatype that cannot be used here. */
    TYPE,
    /** A tag that is negative or too high. */
    TAG,
    /** A communicator that was freed, or cannot be used here. */
    COMM,
    /** A rank that is not in the communicator. */
    RANK,
    /** A request that cannot be used here. */
    REQUEST,
    /** A root that is not in the communicator. */
    ROOT,
    /** A group that cannot be used here. */
    GROUP,
    /** An operation that cannot be used here. */
    OP,
    /** The communicator has another topology, or none. */
    TOPOLOGY,
    /** Dimensions that do not fit. */
    DIMS,
    /** Another argument is wrong. */
    ARG,
    /** Nobody knows. */
    UNKNOWN,
    /** The message is longer than the memory for it. */
    TRUNCATE,
    /** Another reason. */
    OTHER,
    /** A mistake of Busbar's own. */
    INTERN,
    /** Some of several requests failed: look at each status. */
    IN_STATUS,
    /** The request was not looked at, because another one failed. */
    PENDING,
    /** An attribute's key that is not known. */
    KEYVAL,
    /** An info that cannot be used here. */
    INFO,
    /** A key that is too long, or empty. */
    INFO_KEY,
    /** A value that is too long. */
    INFO_VALUE,
    /** There is no such key. */
    INFO_NOKEY,
    /** Busbar does not do this. */
    UNSUPPORTED_OPERATION,
    /** A rank that is needed has ended. */
    PROC_FAILED
  }

  private final Kind kind;

  /** With its kind and words. */
  public MpiError(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  /** With what caused it. */
  public MpiError(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** Of which class it is. */
  public Kind kind() {
    return kind;
  }

  /** The same for another thread, which did not cause it but has to be told. */
  MpiError again() {
    return new MpiError(kind, String.valueOf(getMessage()), this);
  }
}

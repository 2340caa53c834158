package mpi;

import io.busbar.mpi.MpiError;
import java.io.Serial;

/** Why a call failed. Unchecked: programs of one family declare it, those of the other do not. */
public class MPIException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  private final int errorClass;

  /** Without a reason. */
  public MPIException() {
    errorClass = MPI.ERR_UNKNOWN;
  }

  /** With a reason. */
  public MPIException(String message) {
    super(message);
    errorClass = MPI.ERR_OTHER;
  }

  /** With what caused it. */
  public MPIException(Throwable cause) {
    super(cause);
    errorClass = MPI.ERR_OTHER;
  }

  MPIException(int errorClass, String message) {
    super(message);
    this.errorClass = errorClass;
  }

  MPIException(String call, MpiError error) {
    super(call + ": " + error.getMessage(), error);
    errorClass = BusbarErrors.code(error.kind());
  }

  /** The number of the error, which is that of its class. */
  public int getErrorCode() {
    return errorClass;
  }

  /** The number of its class: one of {@code MPI.ERR_...}. */
  public int getErrorClass() {
    return errorClass;
  }
}

package mpi;

import io.busbar.mpi.MpiError;
import java.util.function.Supplier;

/** What becomes of errors. */
final class BusbarErrors {
  private BusbarErrors() {}

  static int code(MpiError.Kind kind) {
    return switch (kind) {
      case BUFFER -> MPI.ERR_BUFFER;
      case COUNT -> MPI.ERR_COUNT;
      case TYPE -> MPI.ERR_TYPE;
      case TAG -> MPI.ERR_TAG;
      case COMM -> MPI.ERR_COMM;
      case RANK -> MPI.ERR_RANK;
      case REQUEST -> MPI.ERR_REQUEST;
      case ROOT -> MPI.ERR_ROOT;
      case GROUP -> MPI.ERR_GROUP;
      case OP -> MPI.ERR_OP;
      case TOPOLOGY -> MPI.ERR_TOPOLOGY;
      case DIMS -> MPI.ERR_DIMS;
      case ARG -> MPI.ERR_ARG;
      case UNKNOWN -> MPI.ERR_UNKNOWN;
      case TRUNCATE -> MPI.ERR_TRUNCATE;
      case OTHER -> MPI.ERR_OTHER;
      case INTERN -> MPI.ERR_INTERN;
      case IN_STATUS -> MPI.ERR_IN_STATUS;
      case PENDING -> MPI.ERR_PENDING;
      case KEYVAL -> MPI.ERR_KEYVAL;
      case INFO -> MPI.ERR_INFO;
      case INFO_KEY -> MPI.ERR_INFO_KEY;
      case INFO_VALUE -> MPI.ERR_INFO_VALUE;
      case INFO_NOKEY -> MPI.ERR_INFO_NOKEY;
      case UNSUPPORTED_OPERATION -> MPI.ERR_UNSUPPORTED_OPERATION;
      case PROC_FAILED -> MPI.ERR_PROC_ABORTED;
    };
  }

  static MPIException refusal(String call, String why) {
    return new MPIException(MPI.ERR_UNSUPPORTED_OPERATION, call + ": " + why);
  }

  static void run(String call, Runnable work) {
    try {
      work.run();
    } catch (MpiError e) {
      throw new MPIException(call, e);
    }
  }

  static <T> T get(String call, Supplier<T> work) {
    try {
      return work.get();
    } catch (MpiError e) {
      throw new MPIException(call, e);
    }
  }
}

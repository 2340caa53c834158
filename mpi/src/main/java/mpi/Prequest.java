package mpi;

import io.busbar.mpi.MpiError;
import java.util.function.Supplier;

/** Something that can be begun again and again. */
public class Prequest extends Request {
  private final Supplier<io.busbar.mpi.Request> begin;
  private boolean freed;

  Prequest(Datatype type, Comm comm, Supplier<io.busbar.mpi.Request> begin) {
    super(null, type, comm);
    this.begin = begin;
  }

  /** Begins it. */
  public void start() throws MPIException {
    if (core != null || freed) {
      throw new MPIException(
          MPI.ERR_REQUEST, "Prequest.start: the request is active, or was freed");
    }
    try {
      core = begin.get();
    } catch (MpiError e) {
      throw new MPIException("Prequest.start", e);
    }
  }

  /** Begins it. */
  public void Start() throws MPIException {
    start();
  }

  /** Begins all of them. */
  public static void startAll(Prequest[] requests) throws MPIException {
    for (Prequest request : requests) {
      request.start();
    }
  }

  /** Begins all of them. */
  public static void Startall(Prequest[] requests) throws MPIException {
    startAll(requests);
  }

  /** It is null when it was freed. */
  @Override
  public boolean isNull() {
    return freed;
  }

  @Override
  public void free() throws MPIException {
    freed = true;
    super.free();
  }
}

package mpi;

import io.busbar.mpi.MpiError;
import java.util.function.Supplier;

/** Something that can be begun again and again. */
public class Prequest extends Request {
  private final Supplier<io.busbar.mpi.Request> begin;
  private boolean freed;

  Prequest(
      io.busbar.mpi.Datatype type, Comm comm, String call, Supplier<io.busbar.mpi.Request> begin) {
    super(null, type, comm, call);
    this.begin = begin;
  }

  /** Begins it. */
  public void start() throws MPIException {
    if (core != null || freed) {
      throw error(
          new MpiError(MpiError.Kind.REQUEST, "start: the request is active, or was freed"));
    }
    try {
      core = begin.get();
    } catch (MpiError e) {
      throw error(e);
    }
  }

  /** Begins it. */
  public void Start() throws MPIException {
    start();
  }

  /** Begins all of them; where there is null, nothing. */
  public static void startAll(Prequest[] requests) throws MPIException {
    for (Prequest request : requests) {
      if (request != null) {
        request.start();
      }
    }
  }

  /** As {@link #startAll}. */
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

package mpi;

import io.busbar.mpi.Communicator.Found;
import java.nio.Buffer;

/** A message that was found by a matched probe, and is received by its finder. */
public final class Message {
  private Found found;
  private Comm comm;

  /** None yet. */
  public Message() {}

  /** Whether there is none. */
  public boolean isNull() {
    return found == null;
  }

  /** Whether it is the empty one from nobody. */
  public boolean isNoProc() {
    return found != null && found.isNobodys();
  }

  /** Waits for a message, and takes it. */
  public Status mProbe(int source, int tag, Comm of) throws MPIException {
    return probe(source, tag, of, true);
  }

  /** Takes a message if there is one; else null. */
  public Status imProbe(int source, int tag, Comm of) throws MPIException {
    return probe(source, tag, of, false);
  }

  private Status probe(int source, int tag, Comm of, boolean waits) {
    io.busbar.mpi.Status probed = new io.busbar.mpi.Status();
    comm = of;
    found = of.get("mProbe", () -> of.core().take(source, tag, probed, waits));
    return found == null ? null : new Status(probed);
  }

  /** Receives it. */
  public Status mRecv(Object buf, int count, Datatype type) throws MPIException {
    return receive(buf, count, type).finish();
  }

  /** Begins to receive it. */
  public Request imRecv(Buffer buf, int count, Datatype type) throws MPIException {
    return receive(buf, count, type);
  }

  private Request receive(Object buf, int count, Datatype type) {
    Found taken = found;
    if (taken == null) {
      throw new MPIException(MPI.ERR_REQUEST, "Message.mRecv: there is no message");
    }
    found = null;
    Comm of = comm;
    io.busbar.mpi.Datatype as = of.get("mRecv", () -> Comm.core(type));
    return new Request(
        of.get("mRecv", () -> taken.startReceive(buf, 0, count, as)), as, of, "mRecv");
  }
}

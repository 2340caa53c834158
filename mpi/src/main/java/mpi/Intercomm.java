package mpi;

import io.busbar.mpi.Communicator;

/** Processes with two sides: messages go from one to the other. */
public final class Intercomm extends Comm {
  Intercomm(Communicator core) {
    super(core);
  }

  @Override
  public Intercomm clone() {
    return dup();
  }

  @Override
  public Intercomm dup() throws MPIException {
    return inherit(new Intercomm(get("dup", () -> core().duplicate())));
  }

  @Override
  public Intercomm iDup() throws MPIException {
    return later(new Intercomm(null));
  }

  @Override
  public Intercomm dupWithInfo(Info hints) throws MPIException {
    return hinted(dup(), hints);
  }

  /** How many there are on the other side. */
  public int getRemoteSize() throws MPIException {
    return others();
  }

  /** Those of the other side. */
  public Group getRemoteGroup() throws MPIException {
    return get("getRemoteGroup", () -> new Group(core().others()));
  }

  /** Both sides as one; the side that says high comes second. */
  public Intracomm merge(boolean high) throws MPIException {
    return descend(new Intracomm(get("merge", () -> core().merge(high))));
  }

  /** Who started this process by MPI: nobody. */
  public static Intercomm getParent() throws MPIException {
    return new Intercomm(null);
  }

  /** How many there are on the other side. */
  public int Remote_size() throws MPIException {
    return getRemoteSize();
  }

  /** Those of the other side. */
  public Group Remote_group() throws MPIException {
    return getRemoteGroup();
  }

  /** Both sides as one. */
  public Intracomm Merge(boolean high) throws MPIException {
    return merge(high);
  }
}

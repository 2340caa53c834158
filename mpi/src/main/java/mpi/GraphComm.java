package mpi;

import io.busbar.mpi.Communicator;

/** Processes in a graph; the interface of Open MPI. */
public final class GraphComm extends Intracomm {
  private final BusbarWeb web;

  GraphComm(Communicator core, BusbarWeb web) {
    super(core);
    this.web = web;
  }

  @Override
  int[] sources() {
    return web.sources(getRank());
  }

  @Override
  int[] destinations() {
    return web.destinations(getRank());
  }

  @Override
  public int getTopology() throws MPIException {
    return web.isDistributed() ? MPI.DIST_GRAPH : MPI.GRAPH;
  }

  @Override
  public GraphComm clone() {
    return dup();
  }

  @Override
  public GraphComm dup() throws MPIException {
    return inherit(new GraphComm(get("dup", () -> core().duplicate()), web));
  }

  @Override
  public GraphComm iDup() throws MPIException {
    return later(new GraphComm(null, web));
  }

  @Override
  public GraphComm dupWithInfo(Info hints) throws MPIException {
    return hinted(dup(), hints);
  }

  /** The graph. */
  public GraphParms getDims() throws MPIException {
    return new GraphParms(web.index.clone(), web.edges.clone());
  }

  /** The neighbours of a process. */
  public int[] getNeighbors(int rank) throws MPIException {
    return get("getNeighbors", () -> web.neighbours(rank));
  }

  /** The rank that this process should have in another graph. */
  public int map(int[] index, int[] edges) throws MPIException {
    return getRank() < index.length ? getRank() : MPI.UNDEFINED;
  }

  /** The neighbours of this process, in a graph that was given in parts. */
  public DistGraphNeighbors getDistGraphNeighbors() throws MPIException {
    return get("getDistGraphNeighbors", web::around);
  }
}

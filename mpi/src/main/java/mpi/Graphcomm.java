package mpi;

import io.busbar.mpi.Communicator;

/** Processes in a graph; the interface of mpiJava. */
public class Graphcomm extends Intracomm {
  private final BusbarWeb web;

  Graphcomm(Communicator core, BusbarWeb web) {
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
  public Graphcomm clone() {
    return dup();
  }

  @Override
  public Graphcomm dup() throws MPIException {
    return inherit(new Graphcomm(get("dup", () -> core().duplicate()), web));
  }

  @Override
  public Graphcomm iDup() throws MPIException {
    return later(new Graphcomm(null, web));
  }

  @Override
  public Graphcomm dupWithInfo(Info hints) throws MPIException {
    return hinted(dup(), hints);
  }

  /** The graph. */
  public GraphParms Get() throws MPIException {
    return new GraphParms(web.index.clone(), web.edges.clone());
  }

  /** The neighbours of a process. */
  public int[] Neighbours(int rank) throws MPIException {
    return get("Neighbours", () -> web.neighbours(rank));
  }

  /** The rank that this process should have in another graph. */
  public int Map(int[] index, int[] edges) throws MPIException {
    return getRank() < index.length ? getRank() : MPI.UNDEFINED;
  }
}

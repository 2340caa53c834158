package mpi;

import io.busbar.mpi.Communicator;

/** Processes in a grid; the interface of Open MPI. */
public final class CartComm extends Intracomm {
  private final BusbarGrid grid;

  CartComm(Communicator core, BusbarGrid grid) {
    super(core);
    this.grid = grid;
  }

  @Override
  int[] sources() {
    return grid.neighbours(getRank());
  }

  @Override
  int[] arrivalOrder() {
    return grid.arrivalOrder();
  }

  @Override
  public int getTopology() throws MPIException {
    return MPI.CART;
  }

  @Override
  public CartComm clone() {
    return dup();
  }

  @Override
  public CartComm dup() throws MPIException {
    return inherit(new CartComm(get("dup", () -> core().duplicate()), grid));
  }

  @Override
  public CartComm iDup() throws MPIException {
    return later(new CartComm(null, grid));
  }

  @Override
  public CartComm dupWithInfo(Info hints) throws MPIException {
    return hinted(dup(), hints);
  }

  /** The grid, and where this process is. */
  public CartParms getTopo() throws MPIException {
    return grid.parms(getRank());
  }

  /** Who is at a place. */
  public int getRank(int[] coords) throws MPIException {
    return get("getRank", () -> grid.rank(coords));
  }

  /** Where a process is. */
  public int[] getCoords(int rank) throws MPIException {
    return get("getCoords", () -> grid.coords(rank));
  }

  /** From whom, and to whom data go in a shift along a dimension. */
  public ShiftParms shift(int direction, int disp) throws MPIException {
    return get("shift", () -> grid.shift(core().rank(), direction, disp));
  }

  /** The grids that are left when some dimensions are taken away. */
  public CartComm sub(boolean[] remainDims) throws MPIException {
    BusbarGrid rest = get("sub", () -> grid.sub(remainDims));
    return descend(new CartComm(get("sub", () -> grid.split(core(), remainDims)), rest));
  }

  /** The rank that this process should have in another grid. */
  public int map(int[] dims, boolean[] periods) throws MPIException {
    int size = 1;
    for (int dim : dims) {
      size *= dim;
    }
    return getRank() < size ? getRank() : MPI.UNDEFINED;
  }

  /** Dimensions as equal as can be, where they are 0. */
  public static void createDims(int nodes, int[] dims) throws MPIException {
    BusbarErrors.run("CartComm.createDims", () -> BusbarGrid.balance(nodes, dims));
  }
}

package mpi;

import io.busbar.mpi.Communicator;

/** Processes in a grid; the interface of mpiJava. */
public class Cartcomm extends Intracomm {
  private final BusbarGrid grid;

  Cartcomm(Communicator core, BusbarGrid grid) {
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
  public Cartcomm clone() {
    return dup();
  }

  @Override
  public Cartcomm dup() throws MPIException {
    return inherit(new Cartcomm(get("dup", () -> core().duplicate()), grid));
  }

  @Override
  public Cartcomm iDup() throws MPIException {
    return later(new Cartcomm(null, grid));
  }

  @Override
  public Cartcomm dupWithInfo(Info hints) throws MPIException {
    return hinted(dup(), hints);
  }

  /** The grid, and where this process is. */
  public CartParms Get() throws MPIException {
    return grid.parms(getRank());
  }

  /** Who is at a place. */
  public int Rank(int[] coords) throws MPIException {
    return get("Rank", () -> grid.rank(coords));
  }

  /** Where a process is. */
  public int[] Coords(int rank) throws MPIException {
    return get("Coords", () -> grid.coords(rank));
  }

  /** From whom, and to whom data go in a shift along a dimension. */
  public ShiftParms Shift(int direction, int disp) throws MPIException {
    return get("Shift", () -> grid.shift(core().rank(), direction, disp));
  }

  /** The grids that are left when some dimensions are taken away. */
  public Cartcomm Sub(boolean[] remainDims) throws MPIException {
    BusbarGrid rest = get("Sub", () -> grid.sub(remainDims));
    return descend(new Cartcomm(get("Sub", () -> grid.split(core(), remainDims)), rest));
  }

  /** The rank that this process should have in another grid. */
  public int Map(int[] dims, boolean[] periods) throws MPIException {
    int size = 1;
    for (int dim : dims) {
      size *= dim;
    }
    return getRank() < size ? getRank() : MPI.UNDEFINED;
  }

  /** Dimensions as equal as can be, where they are 0. */
  public static void Dims_create(int nodes, int[] dims) throws MPIException {
    BusbarErrors.run("Cartcomm.Dims_create", () -> BusbarGrid.balance(nodes, dims));
  }
}

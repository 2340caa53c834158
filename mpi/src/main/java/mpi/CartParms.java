package mpi;

/** A grid, and where this process is in it. */
public final class CartParms {
  /** How many processes there are along each dimension. */
  public int[] dims;

  /** Whether each dimension is a ring. */
  public boolean[] periods;

  /** Where this process is. */
  public int[] coords;

  CartParms(int[] dims, boolean[] periods, int[] coords) {
    this.dims = dims;
    this.periods = periods;
    this.coords = coords;
  }

  /** How many dimensions there are. */
  public int getDimCount() {
    return dims.length;
  }

  /** How many processes there are along one. */
  public int getDim(int i) {
    return dims[i];
  }

  /** Whether one is a ring. */
  public boolean getPeriod(int i) {
    return periods[i];
  }

  /** Where this process is along one. */
  public int getCoord(int i) {
    return coords[i];
  }
}

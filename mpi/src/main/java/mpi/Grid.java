package mpi;

import io.busbar.mpi.Communicator;

/** A grid of processes: the last dimension counts fastest. */
final class Grid {
  final int[] dims;
  final boolean[] periods;

  private Grid(int[] dims, boolean[] periods) {
    this.dims = dims;
    this.periods = periods;
  }

  static Grid of(String call, int[] dims, boolean[] periods, int available) {
    if (dims.length != periods.length) {
      throw new MPIException(
          MPI.ERR_DIMS,
          "%s: %d dimensions and %d periods".formatted(call, dims.length, periods.length));
    }
    Grid made = new Grid(dims.clone(), periods.clone());
    for (int dim : dims) {
      if (dim < 1) {
        throw new MPIException(MPI.ERR_DIMS, "%s: a dimension is %d".formatted(call, dim));
      }
    }
    if (made.size() > available) {
      throw new MPIException(
          MPI.ERR_DIMS,
          "%s: a grid of %d processes, and there are %d".formatted(call, made.size(), available));
    }
    return made;
  }

  int size() {
    int size = 1;
    for (int dim : dims) {
      size *= dim;
    }
    return size;
  }

  int[] coords(int rank) {
    if (rank < 0 || rank >= size()) {
      throw new MPIException(
          MPI.ERR_RANK, "coords: rank %d; allowed: 0 to %d".formatted(rank, size() - 1));
    }
    int[] coords = new int[dims.length];
    int left = rank;
    for (int i = dims.length - 1; i >= 0; i--) {
      coords[i] = left % dims[i];
      left /= dims[i];
    }
    return coords;
  }

  int rank(int[] coords) {
    int rank = 0;
    for (int i = 0; i < dims.length; i++) {
      int coord = periods[i] ? Math.floorMod(coords[i], dims[i]) : coords[i];
      if (coord < 0 || coord >= dims[i]) {
        throw new MPIException(
            MPI.ERR_ARG,
            "rank: coordinate %d is %d; allowed: 0 to %d".formatted(i, coords[i], dims[i] - 1));
      }
      rank = rank * dims[i] + coord;
    }
    return rank;
  }

  /** Who is so far away along a dimension. */
  private int neighbour(int of, int direction, int distance) {
    int[] coords = coords(of);
    coords[direction] += distance;
    boolean isInside = coords[direction] >= 0 && coords[direction] < dims[direction];
    return periods[direction] || isInside ? rank(coords) : MPI.PROC_NULL;
  }

  ShiftParms shift(int rank, int direction, int distance) {
    if (direction < 0 || direction >= dims.length) {
      throw new MPIException(
          MPI.ERR_ARG,
          "shift: direction %d; allowed: 0 to %d".formatted(direction, dims.length - 1));
    }
    return new ShiftParms(
        neighbour(rank, direction, -distance), neighbour(rank, direction, distance));
  }

  /** Before and behind along each dimension. */
  int[] neighbours(int rank) {
    int[] all = new int[2 * dims.length];
    for (int i = 0; i < dims.length; i++) {
      all[2 * i] = neighbour(rank, i, -1);
      all[2 * i + 1] = neighbour(rank, i, 1);
    }
    return all;
  }

  /** What goes backward comes from ahead: so two that are both to each other do not mix them up. */
  int[] arrivalOrder() {
    int[] order = new int[2 * dims.length];
    for (int i = 0; i < order.length; i++) {
      order[i] = i ^ 1;
    }
    return order;
  }

  /** What remains when some dimensions are left out. */
  Grid sub(boolean[] remain) {
    int count = 0;
    for (boolean one : remain) {
      count += one ? 1 : 0;
    }
    int[] kept = new int[count];
    boolean[] keptPeriods = new boolean[count];
    int next = 0;
    for (int i = 0; i < dims.length; i++) {
      if (remain[i]) {
        keptPeriods[next] = periods[i];
        kept[next++] = dims[i];
      }
    }
    return new Grid(kept, keptPeriods);
  }

  /** Those with whom a process shares the coordinates that are left out. */
  Communicator split(Communicator core, boolean[] remain) {
    int[] coords = coords(core.rank());
    int colour = 0;
    int key = 0;
    for (int i = 0; i < dims.length; i++) {
      if (remain[i]) {
        key = key * dims[i] + coords[i];
      } else {
        colour = colour * dims[i] + coords[i];
      }
    }
    return core.split(colour, key);
  }

  CartParms parms(int rank) {
    return new CartParms(dims.clone(), periods.clone(), coords(rank));
  }

  /** Dimensions as equal as can be, the larger ones first; those that are given stay. */
  static void balance(int nodes, int[] dims) {
    int left = nodes;
    int free = 0;
    for (int dim : dims) {
      if (dim < 0 || (dim > 0 && left % dim != 0)) {
        throw new MPIException(
            MPI.ERR_DIMS, "createDims: %d processes and a dimension of %d".formatted(nodes, dim));
      }
      left = dim > 0 ? left / dim : left;
      free += dim == 0 ? 1 : 0;
    }
    if (nodes < 1 || (free == 0 && left != 1)) {
      throw new MPIException(MPI.ERR_DIMS, "createDims: the dimensions do not fit " + nodes);
    }
    int[] parts = factors(left, free);
    int next = 0;
    for (int i = 0; i < dims.length; i++) {
      dims[i] = dims[i] == 0 ? parts[next++] : dims[i];
    }
  }

  private static int[] factors(int product, int count) {
    int[] parts = new int[count];
    int left = product;
    for (int i = 0; i < count; i++) {
      int slots = count - i;
      int best = left;
      for (int candidate = 1; candidate <= left; candidate++) {
        if (left % candidate == 0 && Math.pow(candidate, slots) >= left * (1 - 1e-9)) {
          best = candidate;
          break;
        }
      }
      parts[i] = best;
      left /= best;
    }
    java.util.Arrays.sort(parts);
    for (int i = 0; i < count / 2; i++) {
      int moved = parts[i];
      parts[i] = parts[count - 1 - i];
      parts[count - 1 - i] = moved;
    }
    return parts;
  }
}

import mpi.CartComm;
import mpi.Datatype;
import mpi.MPI;
import mpi.MPIException;
import mpi.ShiftParms;

// Heat spreads over a plate. Each process has a rectangle of it, and exchanges its borders with its
// neighbours in every step: ./busbar run -n 4 examples/Heat.java [CELLS] [STEPS]
void main(String[] args) throws MPIException {
  String[] mine = MPI.Init(args);
  int cells = mine.length > 0 ? Integer.parseInt(mine[0]) : 48;
  int steps = mine.length > 1 ? Integer.parseInt(mine[1]) : 200;
  int[] dims = new int[2];
  CartComm.createDims(MPI.COMM_WORLD.getSize(), dims);
  CartComm grid = MPI.COMM_WORLD.createCart(dims, new boolean[2], false);
  int[] at = grid.getCoords(grid.getRank());
  int rows = part(cells, dims[0], at[0]);
  int columns = part(cells, dims[1], at[1]);
  int width = columns + 2;

  double[] now = new double[(rows + 2) * width];
  double[] next = now.clone();
  if (at[0] == 0) { // the upper border is hot
    for (int c = 0; c < width; c++) {
      now[c] = 100;
      next[c] = 100;
    }
  }
  Datatype row = Datatype.createContiguous(columns, MPI.DOUBLE);
  Datatype column = Datatype.createVector(rows, 1, width, MPI.DOUBLE);
  ShiftParms vertical = grid.shift(0, 1);
  ShiftParms horizontal = grid.shift(1, 1);
  int up = vertical.getRankSource();
  int down = vertical.getRankDest();
  int left = horizontal.getRankSource();
  int right = horizontal.getRankDest();

  for (int step = 0; step < steps; step++) {
    swap(grid, now, row, 1 + width, up, 1 + (rows + 1) * width, down);
    swap(grid, now, row, 1 + rows * width, down, 1, up);
    swap(grid, now, column, width + 1, left, width + columns + 1, right);
    swap(grid, now, column, width + columns, right, width, left);
    for (int r = 1; r <= rows; r++) {
      for (int c = 1; c <= columns; c++) {
        int i = r * width + c;
        next[i] = (now[i - 1] + now[i + 1] + now[i - width] + now[i + width]) / 4;
      }
    }
    double[] old = now;
    now = next;
    next = old;
  }

  double[] sum = new double[1];
  for (int r = 1; r <= rows; r++) {
    for (int c = 1; c <= columns; c++) {
      sum[0] += now[r * width + c];
    }
  }
  grid.allReduce(sum, 1, MPI.DOUBLE, MPI.SUM);
  if (grid.getRank() == 0) {
    IO.println(
        "after %d steps a plate of %d x %d cells has a mean of %.6f degrees"
            .formatted(steps, cells, cells, sum[0] / cells / cells));
  }
  MPI.Finalize();
}

int part(int cells, int parts, int part) {
  return cells / parts + (part < cells % parts ? 1 : 0);
}

void swap(CartComm grid, double[] cells, Datatype of, int out, int to, int in, int from) {
  grid.Sendrecv(cells, out, 1, of, to, 0, cells, in, 1, of, from, 0);
}

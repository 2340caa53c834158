import java.util.Random;
import mpi.MPI;

// C = A B: the root deals out rows of A, everybody gets B, and rows of C come back:
// ./busbar run -n 4 examples/Matrix.java [N]
void main(String[] args) {
  String[] mine = MPI.Init(args);
  int n = mine.length > 0 ? Integer.parseInt(mine[0]) : 240;
  int size = MPI.COMM_WORLD.Size();
  int rank = MPI.COMM_WORLD.Rank();
  double[] a = new double[n * n];
  double[] b = new double[n * n];
  if (rank == 0) {
    Random random = new Random(1);
    for (int i = 0; i < n * n; i++) {
      a[i] = random.nextInt(10);
      b[i] = random.nextInt(10);
    }
  }
  int[] counts = new int[size];
  int[] places = new int[size];
  for (int i = 0, next = 0; i < size; i++) {
    counts[i] = n * (n / size + (i < n % size ? 1 : 0));
    places[i] = next;
    next += counts[i];
  }

  double[] rows = new double[counts[rank]];
  MPI.COMM_WORLD.Scatterv(a, 0, counts, places, MPI.DOUBLE, rows, 0, rows.length, MPI.DOUBLE, 0);
  MPI.COMM_WORLD.Bcast(b, 0, n * n, MPI.DOUBLE, 0);
  double[] made = new double[rows.length];
  for (int r = 0; r < rows.length / n; r++) {
    for (int k = 0; k < n; k++) {
      double factor = rows[r * n + k];
      for (int c = 0; c < n; c++) {
        made[r * n + c] += factor * b[k * n + c];
      }
    }
  }
  double[] c = new double[n * n];
  MPI.COMM_WORLD.Gatherv(made, 0, made.length, MPI.DOUBLE, c, 0, counts, places, MPI.DOUBLE, 0);

  if (rank == 0) {
    double trace = 0;
    for (int i = 0; i < n; i++) {
      trace += c[i * n + i];
    }
    IO.println("the product of two matrices of %d x %d has a trace of %.0f".formatted(n, n, trace));
  }
  MPI.Finalize();
}

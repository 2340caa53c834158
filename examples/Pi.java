import mpi.MPI;

// Each process sums its share of a series; all of them together give pi:
// ./busbar run -n 4 examples/Pi.java [TERMS]
void main(String[] args) {
  String[] mine = MPI.Init(args);
  int rank = MPI.COMM_WORLD.getRank();
  int size = MPI.COMM_WORLD.getSize();
  long terms = mine.length > 0 ? Long.parseLong(mine[0]) : 40_000_000;

  double width = 1.0 / terms;
  double[] sum = new double[1];
  double start = MPI.wtime();
  for (long i = rank; i < terms; i += size) {
    double x = (i + 0.5) * width;
    sum[0] += 4 / (1 + x * x);
  }
  sum[0] *= width;
  double[] pi = new double[1];
  MPI.COMM_WORLD.reduce(sum, pi, 1, MPI.DOUBLE, MPI.SUM, 0);

  if (rank == 0) {
    IO.println(
        "pi is about %.10f: %d terms on %d processes, %.2f s"
            .formatted(pi[0], terms, size, MPI.wtime() - start));
  }
  MPI.Finalize();
}

import mpi.MPI;

// A token goes round, and everybody adds its rank: ./busbar run -n 4 examples/Ring.java [ROUNDS]
void main(String[] args) {
  String[] mine = MPI.Init(args);
  int rounds = mine.length > 0 ? Integer.parseInt(mine[0]) : 1000;
  int rank = MPI.COMM_WORLD.Rank();
  int size = MPI.COMM_WORLD.Size();
  int right = (rank + 1) % size;
  int left = (rank + size - 1) % size;
  int[] token = new int[1];
  for (int round = 0; round < rounds; round++) {
    if (rank > 0) {
      MPI.COMM_WORLD.Recv(token, 0, 1, MPI.INT, left, 0);
    }
    token[0] += rank;
    MPI.COMM_WORLD.Send(token, 0, 1, MPI.INT, right, 0);
    if (rank == 0) {
      MPI.COMM_WORLD.Recv(token, 0, 1, MPI.INT, left, 0);
    }
  }
  if (rank == 0) {
    IO.println("after %d rounds of %d the token is %d".formatted(rounds, size, token[0]));
  }
  MPI.Finalize();
}

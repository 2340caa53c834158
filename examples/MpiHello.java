import mpi.MPI;
import mpi.MPIException;

// Every process says who it is, in the order of ranks: ./busbar run -n 4 examples/MpiHello.java
public class MpiHello {
  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    String[] greeting = {"Hello from rank " + rank + " of " + size};
    if (rank == 0) {
      System.out.println(greeting[0]);
      for (int other = 1; other < size; other++) {
        MPI.COMM_WORLD.Recv(greeting, 0, 1, MPI.OBJECT, other, 0);
        System.out.println(greeting[0]);
      }
    } else {
      MPI.COMM_WORLD.Send(greeting, 0, 1, MPI.OBJECT, 0, 0);
    }
    MPI.Finalize();
  }
}

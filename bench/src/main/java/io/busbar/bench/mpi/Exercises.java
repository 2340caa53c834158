package io.busbar.bench.mpi;

import java.util.Arrays;
import mpi.Intracomm;
import mpi.MPI;

/**
 * The exercises of a rank, through package {@code mpi} as a program would: each returns when this
 * rank has done its part, and refuses a wrong result. The program in C does the same.
 */
final class Exercises {
  private static final int TAG = 1;

  private final Intracomm comm;
  private final int rank;
  private final int size;
  private double[] mine = {};
  private double[] sums = {};
  private int[] numbers = {};
  private byte[] bytes = {};

  Exercises(Intracomm comm) {
    this.comm = comm;
    this.rank = comm.getRank();
    this.size = comm.getSize();
  }

  /** Makes room, so that the exercise itself need not, and meets the others. */
  void prepare(Task task) {
    int doubles = Math.ceilDiv(task.bytes(), Double.BYTES);
    if (mine.length < doubles) {
      mine = new double[doubles];
      sums = new double[doubles];
      numbers = new int[2 * doubles];
      bytes = new byte[doubles * Double.BYTES];
    }
    Arrays.fill(mine, rank + 1);
    Arrays.fill(sums, 0);
    comm.barrier();
  }

  void run(Task task) {
    int length = task.bytes();
    int count = task.count();
    switch (task.what()) {
      case ALLREDUCE -> allReduce(Math.ceilDiv(length, Double.BYTES), count);
      case BCAST -> bcast(Math.ceilDiv(length, Integer.BYTES), count);
      case CAST -> cast(length, count);
      case STREAM -> stream(length, count);
      case TRIPS -> trips(Math.ceilDiv(length, Double.BYTES), count);
      case MPJ_TRIPS -> mpjTrips(Math.ceilDiv(length, Double.BYTES), count);
    }
  }

  private void allReduce(int length, int count) {
    for (int i = 0; i < count; i++) {
      comm.allReduce(mine, sums, length, MPI.DOUBLE, MPI.SUM);
    }
    double right = size * (size + 1) / 2.0;
    if (sums[0] != right || sums[length - 1] != right) {
      throw new IllegalStateException(
          "a sum of %s and %s instead of %s".formatted(sums[0], sums[length - 1], right));
    }
  }

  private void bcast(int length, int count) {
    for (int i = 0; i < count; i++) {
      int root = i % size;
      if (rank == root) {
        numbers[0] = i;
        numbers[length - 1] = i;
      }
      comm.bcast(numbers, length, MPI.INT, root);
      if (numbers[0] != i || numbers[length - 1] != i) {
        throw new IllegalStateException(
            "%d and %d instead of %d".formatted(numbers[0], numbers[length - 1], i));
      }
    }
    comm.barrier();
  }

  private void cast(int length, int count) {
    for (int i = 0; i < count; i++) {
      if (rank == 0) {
        bytes[0] = (byte) i;
      }
      comm.bcast(bytes, length, MPI.BYTE, 0);
      if (bytes[0] != (byte) i) {
        throw new IllegalStateException("%d instead of %d".formatted(bytes[0], (byte) i));
      }
    }
    comm.barrier();
  }

  private void stream(int length, int count) {
    if (rank == 0) {
      for (int i = 0; i < count; i++) {
        comm.send(bytes, length, MPI.BYTE, 1, TAG);
      }
      var _ = comm.recv(bytes, 1, MPI.BYTE, 1, TAG);
    } else {
      for (int i = 0; i < count; i++) {
        var _ = comm.recv(bytes, length, MPI.BYTE, 0, TAG);
      }
      comm.send(bytes, 1, MPI.BYTE, 0, TAG);
    }
  }

  private void trips(int length, int count) {
    int other = 1 - rank;
    for (int i = 0; i < count; i++) {
      if (rank == 0) {
        comm.send(mine, length, MPI.DOUBLE, other, TAG);
        var _ = comm.recv(sums, length, MPI.DOUBLE, other, TAG);
      } else {
        var _ = comm.recv(sums, length, MPI.DOUBLE, other, TAG);
        comm.send(mine, length, MPI.DOUBLE, other, TAG);
      }
    }
  }

  private void mpjTrips(int length, int count) {
    int other = 1 - rank;
    for (int i = 0; i < count; i++) {
      if (rank == 0) {
        comm.Send(mine, 0, length, MPI.DOUBLE, other, TAG);
        var _ = comm.Recv(sums, 0, length, MPI.DOUBLE, other, TAG);
      } else {
        var _ = comm.Recv(sums, 0, length, MPI.DOUBLE, other, TAG);
        comm.Send(mine, 0, length, MPI.DOUBLE, other, TAG);
      }
    }
  }
}

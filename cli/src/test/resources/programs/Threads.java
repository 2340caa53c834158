import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import mpi.Comm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Request;
import mpi.Status;

/** Threads that send and receive while others are in collectives, after plain Init and after initThread. */
public class Threads {
  static final int ROUNDS = 150;
  static int rank;
  static int size;
  static final AtomicReference<Throwable> failed = new AtomicReference<>();

  static void check(boolean holds, String what) {
    if (!holds) {
      throw new IllegalStateException("rank " + rank + ": " + what);
    }
  }

  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    all();
    MPI.Finalize();
    check(MPI.initThread(MPI.THREAD_MULTIPLE, 0, args).length == args.length, "arguments");
    check(MPI.queryThread() == MPI.THREAD_MULTIPLE, "level");
    all();
    MPI.Finalize();
    System.out.println("rank " + rank + " of " + size + ": all hold");
  }

  static void all() throws Exception {
    rank = MPI.COMM_WORLD.Rank();
    size = MPI.COMM_WORLD.Size();
    Intracomm blocking = MPI.COMM_WORLD.dup();
    Intracomm begun = MPI.COMM_WORLD.dup();
    List<Thread> threads = new ArrayList<>();
    threads.add(start(() -> exchange(7, 1, false)));
    threads.add(start(() -> exchange(8, 30_000, true)));
    threads.add(start(() -> collectives(blocking)));
    threads.add(start(() -> nonBlocking(begun)));
    for (Thread thread : threads) {
      thread.join();
    }
    if (failed.get() != null) {
      throw new IllegalStateException(failed.get());
    }
    MPI.COMM_WORLD.Barrier();
    check(MPI.COMM_WORLD.Iprobe(MPI.ANY_SOURCE, MPI.ANY_TAG) == null, "something is left");
    blocking.Free();
    begun.Free();
  }

  static Thread start(Runnable work) {
    return Thread.ofPlatform()
        .uncaughtExceptionHandler((thread, e) -> failed.compareAndSet(null, e))
        .start(work);
  }

  /** With the right neighbour, in the world itself. */
  static void exchange(int tag, int length, boolean probes) {
    Comm world = MPI.COMM_WORLD;
    int right = (rank + 1) % size;
    int left = (rank + size - 1) % size;
    int[] out = new int[length];
    int[] in = new int[length];
    for (int i = 0; i < ROUNDS; i++) {
      Arrays.fill(out, 1_000 * rank + i);
      Request sent = world.Isend(out, 0, length, MPI.INT, right, tag);
      if (probes) {
        Status status = world.Probe(MPI.ANY_SOURCE, tag);
        check(status.source == left && status.Get_count(MPI.INT) == length, "probe");
      }
      world.Recv(in, 0, length, MPI.INT, left, tag);
      check(in[0] == 1_000 * left + i && in[length - 1] == in[0], "message " + i + " of thread " + tag);
      sent.Wait();
    }
  }

  static void collectives(Intracomm on) {
    int[] mine = new int[2];
    int[] sum = new int[2];
    int[] all = new int[size];
    for (int i = 0; i < ROUNDS; i++) {
      mine[0] = rank;
      mine[1] = i;
      on.Allreduce(mine, 0, sum, 0, 2, MPI.INT, MPI.SUM);
      check(sum[0] == size * (size - 1) / 2 && sum[1] == size * i, "sum " + i);
      int root = i % size;
      int[] word = {rank == root ? i : -1};
      on.Bcast(word, 0, 1, MPI.INT, root);
      check(word[0] == i, "broadcast " + i);
      on.Allgather(mine, 0, 1, MPI.INT, all, 0, 1, MPI.INT);
      check(all[size - 1] == size - 1, "gathered " + i);
      on.Barrier();
    }
  }

  static void nonBlocking(Intracomm on) {
    for (int i = 0; i < ROUNDS / 10; i++) {
      int[] mine = {rank + i};
      int[] sum = new int[1];
      Request[] all = {on.Ibarrier(), on.Iallreduce(mine, 0, sum, 0, 1, MPI.INT, MPI.SUM)};
      Request.Waitall(all);
      check(sum[0] == size * (size - 1) / 2 + size * i, "begun sum " + i);
    }
  }
}

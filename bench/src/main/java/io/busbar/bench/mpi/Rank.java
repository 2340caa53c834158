package io.busbar.bench.mpi;

import com.sun.management.ThreadMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import mpi.Intracomm;
import mpi.MPI;

/**
 * The program of one rank: an MPI program that does what it is told on standard input, and rests in
 * a read meanwhile. What a launcher tells a process is in its environment.
 */
public final class Rank {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final CompilationMXBean COMPILERS = ManagementFactory.getCompilationMXBean();
  private static final long LOOK_MS = 20;
  private static final int LOOKS = 50;

  /** By the number of ranks that take part. */
  private final Exercises[] exercises;

  private long compiledBefore;

  private Rank() {
    int rank = MPI.COMM_WORLD.getRank();
    exercises = new Exercises[MPI.COMM_WORLD.getSize() + 1];
    for (int ranks = 2; ranks < exercises.length; ranks++) {
      Intracomm first = MPI.COMM_WORLD.split(rank < ranks ? 0 : MPI.UNDEFINED, rank);
      if (rank < ranks) {
        exercises[ranks] = new Exercises(first);
      }
    }
  }

  /**
   * Runs until it is told to end.
   *
   * @param args what MPI takes
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    String[] _ = MPI.Init(args);
    Rank rank = new Rank();
    try (BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      say("opened");
      for (String line = input.readLine(); line != null; line = input.readLine()) {
        if (line.equals("end")) {
          break;
        } else if (line.equals("settle")) {
          settle();
          say("settled");
        } else {
          say(rank.obey(Task.parse(line)).line());
        }
      }
    }
    MPI.Finalize();
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }

  private Did obey(Task task) {
    Exercises these = exercises[task.ranks()];
    these.prepare(task);
    long allocated = THREADS.getCurrentThreadAllocatedBytes();
    long startNs = System.nanoTime();
    these.run(task);
    long tookNs = System.nanoTime() - startNs;
    allocated = THREADS.getCurrentThreadAllocatedBytes() - allocated;
    long compiledMs = COMPILERS.getTotalCompilationTime() - compiledBefore;
    compiledBefore += compiledMs;
    return new Did(tookNs, allocated, compiledMs);
  }

  /** Waits until the compilers have nothing more to do, for a while at most. */
  private static void settle() throws InterruptedException {
    long before = -1;
    long now = COMPILERS.getTotalCompilationTime();
    for (int i = 0; i < LOOKS && now != before; i++) {
      Thread.sleep(LOOK_MS);
      before = now;
      now = COMPILERS.getTotalCompilationTime();
    }
  }
}

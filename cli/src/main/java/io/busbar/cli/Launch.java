package io.busbar.cli;

import io.busbar.lab.bed.ChildJvm;
import io.busbar.mpi.WatchBoard;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/**
 * Makes a program ready once and runs it as a job. When the JVM is told to end meanwhile, by
 * SIGINT, SIGTERM or SIGHUP, it does so after the processes and folders of the job are gone.
 *
 * @param program what is run
 * @param arguments what the process of each rank is given
 * @param size how many processes
 * @param labelled whether the lines of their output begin with their rank
 * @param javaOptions options for their JVMs
 * @param seats where each rank runs
 * @param pinning which processors of this host each rank runs on
 * @param patienceNs how long all may wait before it is looked into; 0: for ever
 */
record Launch(
    Program program,
    IntFunction<List<String>> arguments,
    int size,
    boolean labelled,
    List<String> javaOptions,
    IntFunction<Seat> seats,
    Pinning pinning,
    long patienceNs) {
  /** More than it takes to end a job, grace included. */
  private static final long STOP_SECONDS = 10;

  private static final File NOTHING = new File("/dev/null");

  /** Stdout belongs to the program: what the JVM has to say goes to stderr. */
  private static final List<String> JVM_TALK = List.of("-Xlog:disable", "-Xlog:all=warning:stderr");

  /**
   * The kernel ends what was started so when the thread that started it is no more. Only a process
   * that has not come to say so yet, in its first milliseconds, is missed.
   */
  private static final List<String> LEASH = List.of("setpriv", "--pdeathsig", "KILL");

  /** Where nobody is pinned. */
  Launch(
      Program program,
      IntFunction<List<String>> arguments,
      int size,
      boolean labelled,
      List<String> javaOptions,
      IntFunction<Seat> seats) {
    this(program, arguments, size, labelled, javaOptions, seats, Pinning.NONE, 0);
  }

  /**
   * Does it; the calling thread must not end before the JVM, or the processes end with it.
   *
   * @param err takes what is to be said to people
   * @return 0, or 1 when the program does not compile, or the exit code of what failed first
   */
  int run(PrintWriter err) throws IOException, InterruptedException, Program.NoProgram {
    Job job = new Job(size, labelled, pinning);
    CountDownLatch done = new CountDownLatch(1);
    Thread hook = Thread.ofPlatform().name("busbar-run-stop").unstarted(() -> stop(job, done));
    Runtime.getRuntime().addShutdownHook(hook);
    try (RunFolder folder = RunFolder.create(Path.of(System.getProperty("java.io.tmpdir")))) {
      Program.Start start = program.prepare(folder.classes(), err);
      if (start == null) {
        return Main.FAILED;
      }
      Job.Plan plan = plan(folder, start);
      int status = patienceNs == 0 ? job.run(plan) : runWatched(job, plan, folder.watch());
      if (job.failure() != null) {
        err.println("busbar run: " + job.failure());
        err.flush();
      }
      return status;
    } finally {
      done.countDown();
      forget(hook);
    }
  }

  private int runWatched(Job job, Job.Plan plan, Path folder) throws InterruptedException {
    DeadlockWatch watch = new DeadlockWatch(folder, size, patienceNs, job).start();
    try {
      return job.run(plan);
    } finally {
      watch.stop();
    }
  }

  private static void stop(Job job, CountDownLatch done) {
    job.stop();
    try {
      if (!done.await(STOP_SECONDS, TimeUnit.SECONDS)) {
        job.kill();
      }
    } catch (InterruptedException e) {
      job.kill();
    }
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is on its way down, and the hook is what it waits for.
    }
  }

  private Job.Plan plan(RunFolder folder, Program.Start start)
      throws IOException, InterruptedException {
    List<String> options = new ArrayList<>(JVM_TALK);
    options.addAll(javaOptions);
    List<String> leash = leash();
    List<String> java =
        start.shares()
            ? ChildJvm.commandWithoutModules(options, start.path(), start.words())
            : ChildJvm.command(options, start.path(), start.words());
    String job = "run-" + UUID.randomUUID();
    Path watched = patienceNs == 0 ? null : folder.watch();
    WatchBoard.Errors afar = new WatchBoard.Errors(job);
    return new Job.Plan() {
      @Override
      public ProcessBuilder prepare(int rank) {
        Seat seat = seats.apply(rank);
        List<String> command = new ArrayList<>(java);
        command.addAll(arguments.apply(rank));
        Map<String, String> told = new HashMap<>();
        told.put(RunEnvironment.RANK, Integer.toString(rank));
        told.put(RunEnvironment.SIZE, Integer.toString(size));
        told.put(RunEnvironment.JOB, job);
        told.put(RunEnvironment.MEETING, folder.meeting().toString());
        if (watched != null) {
          WatchBoard board = seat.isHere() ? new WatchBoard.Folder(watched) : afar;
          told.put(RunEnvironment.WATCH, board.toString());
        }
        ProcessBuilder builder = seat.prepare(command, told);
        builder.command().addAll(0, leash);
        builder.redirectInput(rank == 0 ? Redirect.INHERIT : Redirect.from(NOTHING));
        if (size == 1 && !labelled && (seat.isHere() || watched == null)) {
          // Nobody to mix with: a terminal stays a terminal, and a prompt is seen at once.
          builder.redirectOutput(Redirect.INHERIT).redirectError(Redirect.INHERIT);
        }
        return builder;
      }

      @Override
      public String where(int rank) {
        return seats.apply(rank).where();
      }

      @Override
      public InputStream errors(int rank, InputStream written) {
        return watched == null || seats.apply(rank).isHere()
            ? written
            : new Asides(written, afar.mark(), line -> note(watched, rank, afar, line));
      }
    };
  }

  /** A rank of another host has said what it waits for. */
  private static void note(Path folder, int rank, WatchBoard.Errors board, String line) {
    try {
      board.read(line).write(folder, rank);
    } catch (IllegalArgumentException | IndexOutOfBoundsException | IOException e) {
      // Others wrote into it, or it cannot be kept: the rank is taken for one that goes on.
    }
  }

  /** What a command is started with, so that it does not outlive a launcher that is killed. */
  private static List<String> leash() throws InterruptedException {
    List<String> trial = new ArrayList<>(LEASH);
    trial.add("true");
    try {
      Process process =
          new ProcessBuilder(trial)
              .redirectInput(NOTHING)
              .redirectOutput(Redirect.DISCARD)
              .redirectError(Redirect.DISCARD)
              .start();
      return process.waitFor() == 0 ? LEASH : List.of();
    } catch (IOException e) {
      return List.of(); // there is no setpriv
    }
  }
}

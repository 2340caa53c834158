package io.busbar.cli;

import io.busbar.linux.SystemCallException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The processes of one run, from the first start to the last end. The first that fails ends the
 * others: SIGTERM, and SIGKILL for those that are still there after {@link #GRACE_NS}.
 *
 * <p>One thread runs it, and must not end before it; others only put work into its mailbox.
 */
final class Job {
  /**
   * How long a process may take to end when it is asked to. All are gone within a second after the
   * first has failed.
   */
  static final long GRACE_NS = 700_000_000L;

  /** Exit codes above are those of signals, by the custom of shells and of the JVM. */
  private static final int SIGNAL_BASE = 128;

  private static final int SIGNAL_MAX = 64;

  /** How one rank's process is prepared. */
  interface Plan {
    /** The process of a rank, ready to start, its input and output redirected or to be pumped. */
    ProcessBuilder prepare(int rank);

    /** The host of a rank, for people. */
    String where(int rank);

    /** What people are to see of what that process writes to standard error. */
    default InputStream errors(int rank, InputStream written) {
      return written;
    }
  }

  private final int size;
  private final boolean labelled;
  private final Pinning pinning;
  private final BlockingQueue<Runnable> mailbox = new LinkedBlockingQueue<>();
  private final List<Process> processes = new CopyOnWriteArrayList<>();
  private final List<LinePump> pumps = new CopyOnWriteArrayList<>();
  private final LineSink out;
  private final LineSink err;
  private volatile boolean stopped;
  private boolean ending;
  private boolean killed;
  private long killNs;
  private int running;
  private int status;
  private @Nullable String failure;

  /**
   * A job of so many processes.
   *
   * @param labelled whether their lines begin with their rank
   * @param pinning which processors they run on
   */
  Job(int size, boolean labelled, Pinning pinning) {
    this.size = size;
    this.labelled = labelled;
    this.pinning = pinning;
    Object lock = new Object();
    out = new LineSink(lock, System.out, () -> broken("standard output"));
    err = new LineSink(lock, System.err, () -> broken("standard error"));
  }

  private void broken(String what) {
    mailbox.add(() -> end(Main.FAILED, what + " cannot be written any more, so all were ended"));
  }

  /** Starts all processes and waits until they have ended: 0, or the exit code of the failure. */
  int run(Plan plan) throws InterruptedException {
    try {
      readMail();
      for (int rank = 0; rank < size && !ending; rank++) {
        start(rank, plan);
        readMail();
      }
      while (running > 0) {
        Runnable work = mailbox.poll(patienceNs(), TimeUnit.NANOSECONDS);
        if (work != null) {
          work.run();
        } else if (ending) {
          kill();
          killed = true;
        }
      }
      for (LinePump pump : pumps) {
        pump.awaitEnd(() -> stopped);
      }
      readMail();
      return status;
    } finally {
      kill();
    }
  }

  /** What failed, for people; null when nothing did, or the job was stopped. */
  @Nullable String failure() {
    return stopped ? null : failure;
  }

  /** Ends the job early; at any time, from any thread. It does not wait. */
  void stop() {
    stopped = true;
    mailbox.add(() -> end(Main.FAILED, "stopped"));
  }

  /** Ends the job as a failure; from any thread. */
  void fail(String why) {
    mailbox.add(() -> end(Main.FAILED, why + "; all were ended"));
  }

  /** Says something to people, not in the middle of a line; from any thread. */
  void say(String text) {
    byte[] bytes = (text + "\n").getBytes(StandardCharsets.UTF_8);
    err.write(this, new byte[0], bytes, bytes.length);
  }

  /** Whether the process of a rank was started and has ended; from any thread. */
  boolean hasEnded(int rank) {
    return rank < processes.size() && !processes.get(rank).isAlive();
  }

  /** Ends what runs at once, from any thread. */
  void kill() {
    processes.forEach(process -> process.toHandle().destroyForcibly());
  }

  private void readMail() {
    for (Runnable work = mailbox.poll(); work != null; work = mailbox.poll()) {
      work.run();
    }
  }

  private long patienceNs() {
    return ending && !killed ? Math.max(0, killNs - System.nanoTime()) : Long.MAX_VALUE;
  }

  private void start(int rank, Plan plan) {
    Process process;
    try {
      process = pinning.start(rank, plan.prepare(rank));
    } catch (IOException | SystemCallException e) {
      end(Main.FAILED, "cannot start rank %d: %s".formatted(rank, e.getMessage()) + others());
      return;
    }
    processes.add(process);
    running++;
    pump(rank, process.getInputStream(), out);
    pump(rank, plan.errors(rank, process.getErrorStream()), err);
    var _ = process.onExit().thenRun(() -> mailbox.add(() -> ended(rank, plan)));
  }

  private void pump(int rank, InputStream from, LineSink to) {
    String label = labelled ? "[%d] ".formatted(rank) : "";
    LinePump pump =
        new LinePump("output of rank " + rank, from, to, label.getBytes(StandardCharsets.US_ASCII));
    pumps.add(pump);
    pump.start();
  }

  private void ended(int rank, Plan plan) {
    running--;
    int code = processes.get(rank).exitValue();
    if (code != 0) {
      int signal = code - SIGNAL_BASE;
      String how =
          signal > 0 && signal <= SIGNAL_MAX
              ? "was killed by signal " + signal
              : "ended with " + code;
      end(code, "rank %d on %s %s".formatted(rank, plan.where(rank), how) + others());
    }
  }

  private String others() {
    return running > 0 ? "; the others were ended" : "";
  }

  private void end(int code, String why) {
    if (!ending) {
      ending = true;
      status = code;
      failure = why;
      killNs = System.nanoTime() + GRACE_NS;
      // Not Process.destroy: that would close the pipes, and lose their last words.
      processes.forEach(process -> process.toHandle().destroy());
    }
  }
}

package io.busbar.bench.contest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits for a moment in which nobody else computes: two processes that poll, and a third one on two
 * cores, show how the kernel shares time, and nothing of a message. It waits before each run of
 * every system alike, never looks at a result, and gives up when its patience is used up.
 */
public final class Quiet {
  private static final Path LOAD = Path.of("/proc/loadavg");
  private static final int LOOKS = 5;
  private static final long BETWEEN_NS = 1_000_000;
  private static final long PAUSE_NS = 20_000_000;

  /** How long a contest may wait for others to end their work. */
  private static final long PATIENCE_NS = 300_000_000_000L;

  private static final long PATIENCE_QUICK_NS = 8_000_000_000L;

  private long patienceNs;
  private long runs;
  private long disturbed;

  /**
   * A way to wait.
   *
   * @param patienceNs for all waits together
   */
  public Quiet(long patienceNs) {
    this.patienceNs = patienceNs;
  }

  /** With the patience of a contest. */
  public static Quiet of(boolean quick) {
    return new Quiet(quick ? PATIENCE_QUICK_NS : PATIENCE_NS);
  }

  /** Waits until the machine is quiet, as long as there is patience. */
  public void await() {
    runs++;
    long startNs = System.nanoTime();
    boolean quiet = isQuiet();
    while (!quiet && System.nanoTime() - startNs < patienceNs) {
      LockSupport.parkNanos(PAUSE_NS);
      quiet = isQuiet();
    }
    patienceNs -= System.nanoTime() - startNs;
    disturbed += quiet ? 0 : 1;
  }

  private static boolean isQuiet() {
    int busy = 0;
    for (int i = 0; i < LOOKS; i++) {
      busy += runnable(load()) > 1 ? 1 : 0; // one is who looks
      LockSupport.parkNanos(BETWEEN_NS);
    }
    return busy <= 1;
  }

  private static String load() {
    try {
      return Files.readString(LOAD);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + LOAD, e);
    }
  }

  /** Threads of the machine that run or could, of the kernel's line {@code 0.1 0.2 0.3 2/345 6}. */
  static int runnable(String load) {
    String tasks = load.strip().split(" ", -1)[3];
    return Integer.parseInt(tasks.substring(0, tasks.indexOf('/')));
  }

  /** How it went, for people; empty when all was quiet. */
  public String words() {
    return disturbed == 0
        ? ""
        : "others computed when %d of %d runs began: read its figures with care"
            .formatted(disturbed, runs);
  }
}

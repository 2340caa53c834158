package io.busbar.cli;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.BooleanSupplier;

/**
 * Carries the output of one process to a sink, in whole lines and in order, with a thread of its
 * own. It never holds more than {@link #LINE_BYTES_MAX}: a longer line goes in pieces. A last line
 * without an end is given one.
 */
final class LinePump implements Runnable {
  /** Longer lines are rare, and 1024 processes have two pumps each. */
  static final int LINE_BYTES_MAX = 64 * 1024;

  private static final int BYTES_MIN = 8 * 1024;
  private static final int STACK_BYTES = 256 * 1024;
  private static final long SILENCE_NS = 1_000_000_000L;
  private static final Duration LOOK = Duration.ofMillis(20);
  private static final long WRITING = Long.MIN_VALUE;

  private final InputStream from;
  private final LineSink to;
  private final byte[] label;
  private final Thread thread;
  private volatile long readingSinceNs = WRITING;

  /** From a stream to a sink, each line with a label. */
  LinePump(String name, InputStream from, LineSink to, byte[] label) {
    this.from = from;
    this.to = to;
    this.label = label;
    this.thread = Thread.ofPlatform().daemon().name(name).stackSize(STACK_BYTES).unstarted(this);
  }

  /** Begins. */
  void start() {
    thread.start();
  }

  /**
   * Waits, after its process has ended, until all that was written has been passed on. Another
   * process may have inherited the pipe and keep it open; that one is waited for only as long as it
   * writes.
   *
   * @param hurry when this turns true, a sink that takes nothing is waited for no longer either
   */
  void awaitEnd(BooleanSupplier hurry) throws InterruptedException {
    long startNs = System.nanoTime();
    while (!thread.join(LOOK)) {
      long nowNs = System.nanoTime();
      long sinceNs = readingSinceNs;
      if (sinceNs == WRITING ? hurry.getAsBoolean() : nowNs - sinceNs > SILENCE_NS) {
        if (nowNs - startNs > SILENCE_NS) {
          return;
        }
      }
    }
  }

  @Override
  public void run() {
    try {
      pump();
    } catch (IOException e) {
      // The pipe was closed under it: there is nothing more to read.
    } finally {
      to.endLine(this);
    }
  }

  private void pump() throws IOException {
    byte[] buffer = new byte[BYTES_MIN];
    int held = 0;
    for (int n = read(buffer, 0); n >= 0; n = read(buffer, held)) {
      int whole = afterLastLine(buffer, held, held + n);
      held += n;
      if (whole == 0 && held == LINE_BYTES_MAX) {
        whole = held;
      }
      if (whole > 0) {
        to.write(this, label, buffer, whole);
        System.arraycopy(buffer, whole, buffer, 0, held - whole);
        held -= whole;
      } else if (held == buffer.length) {
        buffer = Arrays.copyOf(buffer, Math.min(2 * held, LINE_BYTES_MAX));
      }
    }
    if (held > 0) {
      to.write(this, label, buffer, held);
    }
  }

  private int read(byte[] buffer, int held) throws IOException {
    readingSinceNs = System.nanoTime();
    try {
      return from.read(buffer, held, buffer.length - held);
    } finally {
      readingSinceNs = WRITING;
    }
  }

  /** Where the last line that ends here does, or 0; what was there before holds no end. */
  private static int afterLastLine(byte[] buffer, int start, int end) {
    for (int i = end; i > start; i--) {
      if (buffer[i - 1] == '\n') {
        return i;
      }
    }
    return 0;
  }
}

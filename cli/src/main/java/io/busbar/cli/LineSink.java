package io.busbar.cli;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/**
 * One output of the launcher, to which many pumps write. A line is never interrupted by another,
 * nor by one of a sink with the same lock; only one that comes in pieces can be, and then what
 * interrupts it begins on a line of its own. Bytes pass unchanged.
 */
final class LineSink {
  private static final int BATCH_BYTES = 64 * 1024;

  private final Object lock;
  private final PrintStream stream;
  private final OutputStream batch;
  private final Runnable onBroken;
  private @Nullable Object open; // who has begun a line and not ended it

  /**
   * Over a stream.
   *
   * @param lock held while something is written
   * @param onBroken called after each write once the stream takes no more; what comes is dropped
   */
  LineSink(Object lock, PrintStream stream, Runnable onBroken) {
    this.lock = lock;
    this.stream = stream;
    this.batch = new BufferedOutputStream(stream, BATCH_BYTES);
    this.onBroken = onBroken;
  }

  /**
   * Writes lines, or a piece of one, at once. Waits for as long as the stream does.
   *
   * @param writer whose lines they are
   * @param label goes before each line
   * @param length at least 1; when the last byte ends no line, the writer goes on with that line
   */
  void write(Object writer, byte[] label, byte[] bytes, int length) {
    synchronized (lock) {
      try {
        boolean begins = !writer.equals(open);
        if (begins && open != null) {
          batch.write('\n');
        }
        int start = 0;
        while (start < length) {
          int end = endOfLine(bytes, start, length);
          if (begins) {
            batch.write(label);
          }
          batch.write(bytes, start, end - start);
          begins = true;
          start = end;
        }
        open = bytes[length - 1] == '\n' ? null : writer;
        batch.flush();
      } catch (IOException e) {
        throw new AssertionError("a PrintStream throws nothing", e);
      }
      if (stream.checkError()) {
        onBroken.run();
      }
    }
  }

  /** Ends the line that this writer has begun, if it has. */
  void endLine(Object writer) {
    synchronized (lock) {
      if (writer.equals(open)) {
        stream.write('\n');
        stream.flush();
        open = null;
      }
    }
  }

  private static int endOfLine(byte[] bytes, int start, int length) {
    for (int i = start; i < length; i++) {
      if (bytes[i] == '\n') {
        return i + 1;
      }
    }
    return length;
  }
}

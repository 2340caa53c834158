package io.busbar.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * What a process writes, without the lines that are meant for the launcher: those begin with a
 * mark, wherever that comes, and go elsewhere. All other bytes pass unchanged.
 */
final class Asides extends InputStream {
  private final InputStream from;
  private final byte[] mark;
  private final Consumer<String> to;
  private final byte[] read = new byte[8 * 1024];
  private int next;
  private int end;

  /** Bytes of the mark that have come last. */
  private int matched;

  /** Bytes that looked like a mark, and have to be passed on. */
  private int owed;

  private boolean isOver;
  private boolean aside;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();

  /**
   * Takes lines out of a stream.
   *
   * @param mark its first byte is nowhere else in it
   * @param to is given what follows the mark
   */
  Asides(InputStream from, String mark, Consumer<String> to) {
    this.from = from;
    this.mark = mark.getBytes(StandardCharsets.UTF_8);
    this.to = to;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int at, int length) throws IOException {
    int count = 0;
    while (count < length && (count == 0 || owed > 0 || next < end)) {
      if (owed > 0) {
        into[at + count++] = mark[matched - owed];
        owed--;
        matched = owed == 0 ? 0 : matched;
      } else if (next < end) {
        count += take(read[next], into, at + count);
      } else if (isOver || !fill()) {
        return count == 0 ? -1 : count;
      }
    }
    return count;
  }

  /** Whether there is more to look at. */
  private boolean fill() throws IOException {
    int n = from.read(read, 0, read.length);
    next = 0;
    end = Math.max(n, 0);
    isOver = n < 0;
    owed = isOver && !aside ? matched : 0; // the beginning of a mark was none
    return end > 0 || owed > 0;
  }

  /** Looks at the next byte; how many were passed on, none of them if it may begin a mark. */
  private int take(byte b, byte[] into, int at) {
    if (aside) {
      next++;
      if (b == '\n') {
        aside = false;
        to.accept(line.toString(StandardCharsets.UTF_8));
        line.reset();
      } else {
        line.write(b);
      }
      return 0;
    }
    if (b == mark[matched]) {
      next++;
      matched++;
      if (matched == mark.length) {
        aside = true;
        matched = 0;
      }
      return 0;
    }
    if (matched > 0) {
      owed = matched; // the byte is looked at again behind them
      return 0;
    }
    next++;
    into[at] = b;
    return 1;
  }

  @Override
  public int available() throws IOException {
    return Math.max(end - next, from.available());
  }

  @Override
  public void close() throws IOException {
    from.close();
  }
}

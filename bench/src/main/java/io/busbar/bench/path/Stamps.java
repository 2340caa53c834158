package io.busbar.bench.path;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * When one end crossed its borders, for each message: those of the one that it sent, and those of
 * the one that it received. 0 is a border that was not crossed, or is not one of this system's.
 */
final class Stamps {
  private static final int BORDERS = Border.values().length;

  private final boolean on;
  private final long[] atNs;
  private int message = -1;
  private boolean sends;

  /**
   * For so many messages.
   *
   * @param on whether anything is noted
   */
  Stamps(int messages, boolean on) {
    this.on = on;
    this.atNs = on ? new long[messages * BORDERS] : new long[] {};
  }

  private Stamps(long[] atNs) {
    this.on = true;
    this.atNs = atNs;
  }

  /** The next message is waited for, or about to be sent. */
  void next() {
    message++;
  }

  /** The program sends. */
  void called() {
    sends = true;
    if (on && at(message, Border.HANDLED) != 0) {
      note(Border.DONE); // it is an answer
    }
    note(Border.CALLED);
  }

  /** The program has its answer. */
  void done() {
    note(Border.DONE);
  }

  /** Something of the interface's: only the first after a send is of the message that was sent. */
  void givenIfSent() {
    if (sends && on && at(message, Border.GIVEN) == 0) {
      note(Border.GIVEN);
    }
  }

  /** The bell that lets it leave. */
  void rungIfSent() {
    if (sends && on && at(message, Border.GIVEN) != 0) {
      note(Border.RUNG);
      sends = false;
    }
  }

  /** A frame came; the last one before the handler is the message's. */
  void came() {
    note(Border.CAME);
  }

  /** The handler was entered. */
  void handled() {
    note(Border.HANDLED);
  }

  private void note(Border border) {
    if (on && message >= 0 && message * BORDERS < atNs.length) {
      atNs[message * BORDERS + border.slot] = System.nanoTime();
    }
  }

  /** When a message crossed a border. */
  long at(int index, Border border) {
    int at = index * BORDERS + border.slot;
    return index >= 0 && at < atNs.length ? atNs[at] : 0;
  }

  int messages() {
    return atNs.length / BORDERS;
  }

  /** For the process that compares. */
  void write(Path file) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(atNs.length, Long.BYTES));
    LongBuffer _ = bytes.asLongBuffer().put(atNs);
    Path _ = Files.write(file, bytes.array());
  }

  /** What another process has written. */
  static Stamps read(Path file) throws IOException {
    LongBuffer words = ByteBuffer.wrap(Files.readAllBytes(file)).asLongBuffer();
    long[] all = new long[words.remaining()];
    LongBuffer _ = words.get(all);
    return new Stamps(all);
  }
}

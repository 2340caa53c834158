package io.busbar.messages;

import io.busbar.messages.MessageException.Mistake;
import io.busbar.wire.Records;

/**
 * How much of what handlers sent has to wait, to all nodes together. The driver's role is needed.
 */
final class Deferred {
  private static final long BYTES_MAX = 4 << 20;

  private long bytes;

  /** So many bytes have to wait; refused past the bound. */
  void add(int length) {
    if (bytes + length > BYTES_MAX) {
      throw new MessageException(
          Mistake.TOO_MUCH_DEFERRED,
          "handlers have sent %d bytes that could not leave yet; allowed: %d. Send less in handlers, or outside of them"
              .formatted(bytes + length, BYTES_MAX));
    }
    bytes += length + Records.HEADER_BYTES; // an empty one counts, too
  }

  /** An end without bytes has to wait. */
  void addEnd() {
    bytes += Records.HEADER_BYTES;
  }

  /** So many, headers included, wait no longer. */
  void left(long length) {
    bytes -= length;
  }

  long bytes() {
    return bytes;
  }

  boolean isAny() {
    return bytes > 0;
  }
}

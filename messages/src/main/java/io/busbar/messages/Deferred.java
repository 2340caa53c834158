package io.busbar.messages;

import io.busbar.messages.MessageException.Mistake;
import io.busbar.node.Place;
import io.busbar.wire.Records;

/**
 * How much of what handlers sent has to wait, to all nodes together. The driver's role is needed,
 * but for {@link #holdsBack}.
 *
 * <p>Past half of the bound messages that come wait, too: their handlers would only add to it. So a
 * node that answers slower than it is asked slows down those who ask, and refuses nothing. Two that
 * hold back might wait for each other; that is why they do so only while something leaves.
 */
final class Deferred {
  private static final long BYTES_MAX = 4 << 20;

  private static final long MUCH_BYTES = BYTES_MAX / 2;

  /** If nothing has left for so long, the others may wait until something is extracted here. */
  static final long STANDS_NS = 500_000_000;

  private volatile long bytes;

  /** When something last left, or all that waits began to. */
  private volatile long movedNs;

  /** So many bytes have to wait; refused past the bound. */
  void add(int length, long nowNs) {
    check(length);
    added(length, nowNs);
  }

  /** Refuses bytes past the bound. */
  void check(int length) {
    if (bytes + length > BYTES_MAX) {
      throw new MessageException(
          Mistake.TOO_MUCH_DEFERRED,
          "handlers have sent %d bytes that could not leave yet; allowed: %d. Send less in handlers, or outside of them"
              .formatted(bytes + length, BYTES_MAX));
    }
  }

  /** So many bytes that were checked wait now. */
  void added(int length, long nowNs) {
    charge(length + Records.HEADER_BYTES, nowNs); // an empty one counts, too
  }

  /** An end without bytes has to wait. */
  void addEnd(long nowNs) {
    charge(Records.HEADER_BYTES, nowNs);
  }

  private void charge(long length, long nowNs) {
    long before = bytes;
    movedNs = before == 0 ? nowNs : movedNs;
    bytes = before + length;
  }

  /** So many, headers included, wait no longer. */
  void left(long length, long nowNs) {
    if (length > 0) {
      long before = bytes;
      movedNs = nowNs;
      bytes = before - length;
    }
  }

  /** Whether handlers should not run now; from any thread. */
  boolean holdsBack(Place node) {
    return bytes > MUCH_BYTES && node.nowNs() - movedNs < STANDS_NS;
  }

  long bytes() {
    return bytes;
  }

  boolean isAny() {
    return bytes > 0;
  }
}

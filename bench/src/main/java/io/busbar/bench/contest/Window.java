package io.busbar.bench.contest;

import java.util.function.IntConsumer;

/**
 * What keeps a flood over datagrams free of loss: the source stays so far ahead of the sink that
 * the sink's socket can hold it, and the sink says how far it is. The same for every contender.
 */
final class Window {
  private static final long BYTES_MAX = 512 << 10;

  /** A small datagram takes about a kilobyte of the socket's memory. */
  private static final long FRAMES_MAX = 1024;

  /** Datagrams that do not arrive are lost; waiting longer does not bring them. */
  private static final long PATIENCE_NS = 2_000_000_000L;

  private final long bytesMax;
  private long waitsSinceNs;
  private long sent;
  private long taken;
  private long told;

  Window(int frameBytes) {
    bytesMax = Math.min(BYTES_MAX, FRAMES_MAX * frameBytes);
  }

  /**
   * The source: sends so many bytes, and returns when all have arrived.
   *
   * @param atOnce the most that is sent before the sink is listened to
   * @param send sends so many
   * @param hear listens to the sink once, and calls {@link #onTold} or {@link #onSilence}
   */
  void flood(long all, int atOnce, IntConsumer send, Runnable hear) {
    for (long left = all; left > 0; ) {
      int now = (int) Math.min(left, atOnce);
      while (sent + now - taken > bytesMax) {
        hear.run();
      }
      send.accept(now);
      sent += now;
      left -= now;
    }
    while (!isTaken(all)) {
      hear.run();
    }
  }

  /** The source: the sink has said how far it is. */
  void onTold(long bytes) {
    taken = Math.max(taken, bytes);
    waitsSinceNs = 0;
  }

  /** The source: nothing was heard; ends a run that lost something. */
  void onSilence() {
    long now = System.nanoTime();
    if (waitsSinceNs == 0) {
      waitsSinceNs = now;
    } else if (now - waitsSinceNs > PATIENCE_NS) {
      throw new IllegalStateException(
          "a flood lost something: %d bytes sent, %d arrived".formatted(sent, taken));
    }
  }

  /** The source: whether all has arrived. */
  boolean isTaken(long bytes) {
    return taken >= bytes;
  }

  /** The sink: bytes have arrived; whether to say so now. */
  boolean onTaken(long bytes, long all) {
    taken += bytes;
    if (taken - told >= bytesMax / 4 || taken >= all) {
      told = taken;
      return true;
    }
    return false;
  }

  long taken() {
    return taken;
  }
}

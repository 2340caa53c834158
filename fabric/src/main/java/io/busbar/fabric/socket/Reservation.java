package io.busbar.fabric.socket;

import org.jspecify.annotations.Nullable;

/**
 * The one frame that is written in place, from its reservation until it is sent or given up.
 *
 * @param <P> what the carrier knows a peer by
 */
public final class Reservation<P> {
  private @Nullable P peer;
  private int bytes;

  /** Nothing is reserved. */
  public Reservation() {}

  /** Whether a frame waits for {@link #end} or {@link #abandon}. */
  public boolean isOpen() {
    return peer != null;
  }

  /** A frame of so many bytes is reserved. */
  public void begin(P to, int length) {
    peer = to;
    bytes = length;
  }

  /** The frame is sent, or its first bytes: to whom. */
  public P end(int length) {
    P to = peer;
    if (to == null) {
      throw none();
    }
    if (length < 1 || length > bytes) {
      throw new IllegalArgumentException(
          "a frame of %d bytes was reserved, and %d are sent".formatted(bytes, length));
    }
    peer = null;
    return to;
  }

  /** The frame is given up. */
  public void abandon() {
    if (peer == null) {
      throw none();
    }
    peer = null;
  }

  private static IllegalStateException none() {
    return new IllegalStateException("no frame is reserved");
  }
}

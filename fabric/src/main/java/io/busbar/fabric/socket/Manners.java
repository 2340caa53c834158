package io.busbar.fabric.socket;

import io.busbar.fabric.Nic;
import java.util.function.BooleanSupplier;

/**
 * What may be called when: nothing after the end, nothing but its commit while a frame is reserved,
 * no poll while a frame is being delivered. Who does it otherwise is told so.
 */
public final class Manners {
  private final String name;
  private final BooleanSupplier reserved;
  private boolean delivering;
  private boolean closed;

  /**
   * Of one interface.
   *
   * @param reserved whether a frame is reserved
   */
  public Manners(String name, BooleanSupplier reserved) {
    this.name = name;
    this.reserved = reserved;
  }

  /** The interface was not closed. */
  public void checkOpen() {
    if (closed) {
      throw new IllegalStateException("%s was closed".formatted(name));
    }
  }

  /** And no frame is reserved. */
  public void checkFree() {
    checkOpen();
    if (reserved.getAsBoolean()) {
      throw new IllegalStateException("a frame is reserved: commit or abandon it first");
    }
  }

  /** And no frame is being delivered. */
  public void checkIdle() {
    checkFree();
    checkNotDelivering();
  }

  private void checkNotDelivering() {
    if (delivering) {
      throw new IllegalStateException("not while a frame is being delivered");
    }
  }

  /** From now on frames are being delivered, or no more. */
  public void delivering(boolean now) {
    delivering = now;
  }

  /** A frame is being delivered. */
  public void checkDelivering() {
    if (!delivering) {
      throw new IllegalStateException("no frame is being delivered");
    }
  }

  /**
   * A frame can be claimed now: it can be at all, and is the one being delivered, or kept already.
   *
   * @return false for one that cannot be
   */
  public boolean mayClaim(long frame, boolean isLast, boolean isKept) {
    checkOpen();
    if (frame == Nic.UNCLAIMABLE) {
      return false;
    }
    if (!(delivering && isLast) && !isKept) {
      throw new IllegalStateException(
          "frame %x is neither being delivered nor kept: claim it before onFrame returns"
              .formatted(frame));
    }
    return true;
  }

  /** Whether it has ended. */
  public boolean isClosed() {
    return closed;
  }

  /** It ends; false when it has already. */
  public boolean close() {
    if (closed) {
      return false;
    }
    checkNotDelivering();
    closed = true;
    return true;
  }
}

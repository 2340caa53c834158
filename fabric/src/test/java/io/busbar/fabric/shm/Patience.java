package io.busbar.fabric.shm;

import java.util.concurrent.locks.LockSupport;

/**
 * Waits between two looks at a condition, and leaves the processor to others now and then. An
 * interrupt, by which a test's time limit makes itself felt, ends it.
 */
final class Patience {
  private static final int SPINS = 256;

  private int looks;

  void pause() {
    if (++looks % SPINS == 0) {
      LockSupport.parkNanos(1);
      if (Thread.currentThread().isInterrupted()) {
        throw new AssertionError("waited until the time was up");
      }
    } else {
      Thread.onSpinWait();
    }
  }
}

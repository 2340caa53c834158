package io.busbar.fabric.shm;

import java.util.concurrent.locks.LockSupport;

/** Waits between two looks at a condition, and leaves the processor to others now and then. */
final class Patience {
  private static final int SPINS = 256;

  private int looks;

  void pause() {
    if (++looks % SPINS == 0) {
      LockSupport.parkNanos(1);
    } else {
      Thread.onSpinWait();
    }
  }
}

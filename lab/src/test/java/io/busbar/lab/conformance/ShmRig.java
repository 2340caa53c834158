package io.busbar.lab.conformance;

import io.busbar.fabric.Nic;
import io.busbar.fabric.NicEvents;
import io.busbar.fabric.shm.ShmConfig;
import io.busbar.fabric.shm.ShmNic;
import java.util.concurrent.locks.LockSupport;

/** Stations in shared memory; all in this process, which changes nothing for them. */
final class ShmRig implements NicRig {
  private static final long MOMENT_NS = 10_000;

  @Override
  public int stations() {
    return 3;
  }

  @Override
  public Nic station(int index, NicEvents events) {
    return new ShmNic(ShmConfig.defaults(), events);
  }

  /** What was sent is there at once; only what needs the kernel may take a moment. */
  @Override
  public void settle() {
    LockSupport.parkNanos(MOMENT_NS);
  }

  @Override
  public void close() {}
}

package io.busbar.lab.conformance;

import io.busbar.fabric.Nic;
import io.busbar.fabric.NicEvents;

/** Stations of one process; what was sent is there at once. */
class LoopRig implements NicRig {
  private final LoopHub hub = new LoopHub();

  @Override
  public int stations() {
    return LoopHub.STATIONS;
  }

  @Override
  public Nic station(int index, NicEvents events) {
    return new LoopNic(hub, index, events);
  }

  @Override
  public void settle() {}

  @Override
  public void close() {
    hub.close();
  }
}

package io.busbar.lab.conformance;

import io.busbar.fabric.Nic;
import io.busbar.fabric.NicEvents;
import io.busbar.lab.Faults;
import io.busbar.lab.LinkSpec;
import io.busbar.lab.Network;
import io.busbar.lab.Schedule;
import io.busbar.lab.SimNic;
import java.util.SplittableRandom;

/** Stations at the lab's switch, in virtual time; nothing goes wrong but what runs over. */
final class SimRig implements NicRig {
  private static final int STATIONS = 3;
  private static final int FRAME_BYTES_MAX = 1500;
  private static final int CLAIMS_MAX = 64;
  private static final long MS = 1_000_000;

  private final Schedule schedule = new Schedule();
  private final Network network =
      new Network(
          schedule,
          new LinkSpec(10_000_000_000L, 10_000, 100, 256),
          new Faults(new SplittableRandom(1), STATIONS),
          true,
          STATIONS,
          FRAME_BYTES_MAX);

  @Override
  public int stations() {
    return STATIONS;
  }

  @Override
  public Nic station(int index, NicEvents events) {
    return new SimNic(network, index, CLAIMS_MAX, () -> {});
  }

  @Override
  public void settle() {
    schedule.runUntil(schedule.nowNs() + MS);
  }

  @Override
  public long lostOutside() {
    return network.queueDrops();
  }

  @Override
  public String whyItAllocates() {
    return "virtual time plans an object for each step of a frame";
  }

  @Override
  public void close() {}
}

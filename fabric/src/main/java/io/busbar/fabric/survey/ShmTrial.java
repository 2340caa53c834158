package io.busbar.fabric.survey;

import io.busbar.fabric.FabricException;
import io.busbar.fabric.NicCount;
import io.busbar.fabric.NicEvents;
import io.busbar.fabric.shm.ShmConfig;
import io.busbar.fabric.shm.ShmNic;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Tries shared memory: two segments, a short frame, and a long one that is read across. */
final class ShmTrial {
  private ShmTrial() {}

  static CarrierTrial run(String directory) {
    ShmConfig config = ShmConfig.defaults().in(directory);
    List<CarrierTrial.Fact> facts = new ArrayList<>();
    NicEvents events =
        new NicEvents() {
          @Override
          public void onWarning(String what) {
            facts.add(new CarrierTrial.Fact("warning", what));
          }
        };
    try (ShmNic one = new ShmNic(config, events);
        ShmNic other = new ShmNic(config, NicEvents.NONE);
        Arena arena = Arena.ofConfined()) {
      int peer = one.open(other.address());
      MemorySegment memory = arena.allocate(config.acrossBytesMin());
      one.register(memory);
      boolean crossed = Crossing.of(one, other, peer, memory, 64);
      if (!crossed || !Crossing.of(one, other, peer, memory, config.acrossBytesMin())) {
        return CarrierTrial.unusable("shm", "a frame did not arrive; this is a defect of Busbar");
      }
      boolean across = other.counters().get(NicCount.READ_ACROSS) > 0;
      facts.add(new CarrierTrial.Fact("address", one.address().text()));
      facts.add(new CarrierTrial.Fact("pinned", one.isPinned() ? "yes" : "no"));
      facts.add(
          new CarrierTrial.Fact(
              "reading across (process_vm_readv)",
              across ? "yes" : "no: long frames are copied twice; see /proc/sys/kernel/yama"));
      return new CarrierTrial(
          "shm",
          true,
          "to processes of this host, in %s".formatted(directory),
          one.frameBytesMax(peer),
          facts);
    } catch (FabricException e) {
      return CarrierTrial.unusable("shm", String.valueOf(e.getMessage()));
    }
  }
}

package io.busbar.lab.conformance;

import io.busbar.fabric.CapturingNic;
import io.busbar.fabric.FaultShares;
import io.busbar.fabric.FaultyNic;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicTrace;
import io.busbar.fabric.PcapFile;
import io.busbar.fabric.TracingNic;
import io.busbar.fabric.ether.EtherConfig.Program;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Every fabric, and every decorator over one, passes every check. */
class FabricsTest {
  /** Faults that could happen, and do not: the decorator does all its work, and changes nothing. */
  private static final FaultShares HARDLY_ANY = FaultShares.defaults().withLoss(Double.MIN_VALUE);

  private static Stream<DynamicTest> kit(Supplier<NicRig> rigs) {
    return NicConformance.checks().stream()
        .map(check -> DynamicTest.dynamicTest(check.name(), () -> check.run(rigs.get())));
  }

  @TestFactory
  Stream<DynamicTest> sim() {
    return kit(SimRig::new);
  }

  @TestFactory
  Stream<DynamicTest> loop() {
    return kit(LoopRig::new);
  }

  @TestFactory
  Stream<DynamicTest> shm() {
    return kit(ShmRig::new);
  }

  @TestFactory
  Stream<DynamicTest> udpWithAGroup() {
    return kit(() -> new UdpRig(UdpRig.Everyone.GROUP_4));
  }

  @Tag("long")
  @TestFactory
  Stream<DynamicTest> udpWithABroadcast() {
    return kit(() -> new UdpRig(UdpRig.Everyone.BROADCAST_4));
  }

  @TestFactory
  Stream<DynamicTest> udpOverIpv6() {
    return kit(() -> new UdpRig(UdpRig.Everyone.GROUP_6));
  }

  @TestFactory
  Stream<DynamicTest> packet() {
    return kit(() -> new EtherRig(Program.NONE, 1500));
  }

  @Tag("long")
  @TestFactory
  Stream<DynamicTest> packetWithJumboFrames() {
    return kit(() -> new EtherRig(Program.NONE, 9000));
  }

  @Tag("long")
  @TestFactory
  Stream<DynamicTest> packetWithTheLongestFrames() {
    return kit(() -> new EtherRig(Program.NONE, 65_535));
  }

  @TestFactory
  Stream<DynamicTest> xdp() {
    return kit(() -> new EtherRig(Program.BEST, 1500));
  }

  @Tag("long")
  @TestFactory
  Stream<DynamicTest> xdpWithFramesInPieces() {
    return kit(() -> new EtherRig(Program.BEST, 9000));
  }

  @Tag("long")
  @TestFactory
  Stream<DynamicTest> xdpWithTheLongestFrames() {
    return kit(() -> new EtherRig(Program.BEST, 65_535));
  }

  @Tag("long")
  @TestFactory
  Stream<DynamicTest> xdpInTheDriver() {
    return kit(() -> new EtherRig(Program.DRIVER, 1500));
  }

  @Tag("long")
  @TestFactory
  Stream<DynamicTest> xdpInTheDriverWithFramesInPieces() {
    return kit(() -> new EtherRig(Program.DRIVER, 9000));
  }

  @TestFactory
  Stream<DynamicTest> simWithoutFaults() {
    return kit(() -> new SimRig().with(nic -> new FaultyNic(nic, FaultShares.defaults(), 1)));
  }

  @TestFactory
  Stream<DynamicTest> simTraced() {
    return kit(
        () -> new SimRig().with(nic -> new TracingNic(nic, new NicTrace(() -> 0, line -> {}))));
  }

  private static Nic captured(Nic nic) {
    try {
      Path nowhere = Path.of("/dev/null");
      return new CapturingNic(
          nic, new PcapFile(nowhere, Long.MAX_VALUE, why -> {}), CapturingNic.wallClock());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @TestFactory
  Stream<DynamicTest> shmCaptured() {
    return kit(() -> new ShmRig().with(FabricsTest::captured));
  }

  @TestFactory
  Stream<DynamicTest> loopWithHardlyAnyFaultsTraced() {
    NicTrace trace = new NicTrace(() -> 0, line -> {});
    return kit(
        () ->
            new LoopRig()
                .with(nic -> new TracingNic(new FaultyNic(nic, HARDLY_ANY, 1), trace))
                .allocating("a line for each frame"));
  }
}

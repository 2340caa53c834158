package io.busbar.fabric;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.fabric.shm.ShmConfig;
import io.busbar.fabric.shm.ShmNic;
import io.busbar.memory.Pool;
import io.busbar.memory.Role;
import io.busbar.testkit.AllocationMeter;
import io.busbar.wire.Format;
import io.busbar.wire.FrameBuilder;
import io.busbar.wire.Header;
import io.busbar.wire.Seal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What was taken and what was delivered is in the file, nothing else is, and nothing changes. */
class CapturingNicTest {
  private static final FrameReceiver QUIET = (peer, memory, offset, length, frame) -> {};
  private static final String NODE_2 = "02bb00000002";
  private static final String NODE_3 = "02bb00000003";
  private static final String SELF = "02bb00ffffff";
  private static final String EVERYONE = "ffffffffffff";

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final List<String> told = new ArrayList<>();
  private final EchoNic echo = new EchoNic(NicEvents.NONE);
  private final Nic lossy = new FaultyNic(echo, FaultShares.defaults(), 1);
  private final PcapFile file = new PcapFile(out, "c.pcap", 1 << 20, told::add);
  private long nowNs = 1;
  private final CapturingNic nic = new CapturingNic(lossy, file, () -> nowNs++);
  private final MemorySegment bytes = MemorySegment.ofArray(new byte[300]);

  private static FrameBuilder frame(int to, int length) {
    FrameBuilder frame = new FrameBuilder(MemorySegment.ofArray(new byte[256]), false, Seal.NONE);
    frame.begin();
    frame.zeros(length);
    frame.finish(to == Header.EVERYONE ? Format.BUS : Format.DATA, 0, to, 2, 1, 0, 0, 0, 0);
    return frame;
  }

  private static byte[] bytes(FrameBuilder frame) {
    byte[] all = new byte[frame.frameBytes()];
    frame.copyTo(MemorySegment.ofArray(all), 0);
    return all;
  }

  private List<PcapReading.Captured> captured() {
    nic.flushCapture();
    return PcapReading.of(out.toByteArray());
  }

  private List<String> addresses() {
    return captured().stream().map(PcapReading.Captured::ethernet).toList();
  }

  @Test
  void everyWayOfSendingIsCapturedAndEveryArrival() {
    byte[] expected = bytes(frame(3, 8));
    assertThat(nic.transmit(1, frame(3, 8))).isEqualTo(Nic.DONE);
    assertThat(nic.transmit(1, MemorySegment.ofArray(expected), 0, 40)).isEqualTo(Nic.DONE);
    long at = nic.reserve(1, 100);
    frame(3, 8).copyTo(nic.transmitMemory(), at);
    nic.commit(40);
    assertThat(captured()).hasSize(3);
    assertThat(nic.poll(QUIET, 8)).isEqualTo(3);
    assertThat(captured()).hasSize(6);
    long ns = 1;
    for (PcapReading.Captured one : captured()) {
      assertThat(one.bytes()).isEqualTo(expected);
      assertThat(one.ethernet()).isEqualTo(NODE_3 + NODE_2 + "88b5");
      assertThat(one.epochNs()).isEqualTo(ns++);
    }
  }

  @Test
  void frameOfManyPartsIsWhole() {
    FrameBuilder frame = new FrameBuilder(MemorySegment.ofArray(new byte[512]), true, Seal.NONE);
    MemorySegment far = MemorySegment.ofArray(new byte[400]).fill((byte) 7);
    frame.begin();
    frame.bytes(far, 3, 10);
    frame.finish(Format.DATA, 0, 3, 2, 1, 0, 0, 0, 0);
    nic.transmit(1, frame);
    FrameBuilder parts = new FrameBuilder(MemorySegment.ofArray(new byte[512]), true, Seal.NONE);
    PcapFile to = new PcapFile(out, "c.pcap", 1 << 20, told::add);
    CapturingNic any = new CapturingNic(new Swallowing(echo), to, () -> 0);
    parts.begin();
    parts.bytes(far, 3, 300);
    parts.finish(Format.DATA, 0, 3, 2, 1, 0, 0, 0, 0);
    assertThat(parts.parts()).isEqualTo(3);
    any.transmit(1, parts);
    assertThat(captured().getFirst().bytes()).isEqualTo(bytes(frame));
    out.reset();
    any.flushCapture();
    assertThat(PcapReading.of(out.toByteArray()).getFirst().bytes()).isEqualTo(bytes(parts));
  }

  /** Takes all frames, of any length. */
  private static final class Swallowing extends ForwardingNic {
    Swallowing(Nic below) {
      super(below);
    }

    @Override
    public long transmit(int peer, FrameBuilder frame) {
      return DONE;
    }
  }

  @Test
  void refusedAndAbandonedFramesAreNot() {
    nic.transmit(1, bytes, 0, 257);
    assertThat(nic.reserve(1, 257)).isEqualTo(Nic.TOO_LONG);
    nic.reserve(1, 40);
    nic.abandon();
    echo.gone = 2;
    nic.transmit(2, frame(3, 8));
    for (int i = 0; i <= EchoNic.RING_FRAMES; i++) {
      nic.transmit(1, frame(3, 8));
    }
    nic.transfer(1, 0xAB, Role.APPLICATION, 7);
    assertThat(captured()).hasSize(EchoNic.RING_FRAMES);
  }

  @Test
  void everyoneAndBytesThatNameNobodyHaveAddresses() {
    nic.transmit(Nic.EVERYONE, frame(Header.EVERYONE, 0));
    nic.transmit(1, bytes, 0, 3);
    nic.transmit(9, bytes, 0, 3);
    nic.transmit(Nic.EVERYONE, bytes, 0, 3);
    nic.poll(QUIET, 8);
    assertThat(addresses())
        .containsExactly(
            EVERYONE + NODE_2 + "88b5",
            "02bb00010001" + SELF + "88b5",
            "02bb00010009" + SELF + "88b5",
            EVERYONE + SELF + "88b5",
            EVERYONE + NODE_2 + "88b5",
            SELF + "02bb00010001" + "88b5",
            SELF + "02bb00fffffe" + "88b5",
            SELF + "02bb00fffffe" + "88b5");
  }

  @Test
  void framesOfAReliableCarrierAreRecords() {
    CapturingNic reliable = new CapturingNic(echo, file, () -> 0);
    reliable.transmit(1, bytes, 0, 100);
    reliable.poll(QUIET, 8);
    assertThat(addresses())
        .containsExactly("02bb00010001" + SELF + "88b6", SELF + "02bb00010001" + "88b6");
  }

  @Test
  void buffersGivenAwayAreCaptured() {
    ShmConfig config = ShmConfig.defaults();
    try (ShmNic a = new ShmNic(config, NicEvents.NONE);
        ShmNic b = new ShmNic(config, NicEvents.NONE);
        CapturingNic giver = new CapturingNic(a, file, () -> 0)) {
      int peer = giver.open(b.address());
      Pool pool = giver.pool();
      long handle = pool.allocate(100, Role.APPLICATION);
      pool.segment(handle, Role.APPLICATION).asSlice(0, 100).fill((byte) 9);
      assertThat(giver.transfer(peer, handle, Role.APPLICATION, 100)).isEqualTo(Nic.DONE);
      long kept = pool.allocate(100, Role.APPLICATION);
      giver.close(peer);
      assertThat(giver.transfer(peer, kept, Role.APPLICATION, 100)).isEqualTo(Nic.GONE);
      assertThat(captured()).hasSize(1);
      assertThat(captured().getFirst().bytes()).hasSize(100).containsOnly(9);
    }
  }

  @Test
  void sleepAndCloseFlush() {
    nic.transmit(1, frame(3, 8));
    assertThat(nic.arm()).isFalse();
    assertThat(PcapReading.of(out.toByteArray())).hasSize(1);
    nic.transmit(1, frame(3, 8));
    nic.close();
    assertThat(PcapReading.of(out.toByteArray())).hasSize(2);
    assertThat(echo.closed).isTrue();
  }

  @Test
  void captureThatFailsHarmsNoFrame() {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int one) throws IOException {
            throw new IOException("full");
          }
        };
    PcapFile failing = new PcapFile(full, "c.pcap", 1 << 20, told::add);
    CapturingNic over = new CapturingNic(lossy, failing, () -> 0);
    for (int i = 0; i < 5; i++) {
      assertThat(over.transmit(1, frame(3, 8))).isEqualTo(Nic.DONE);
      over.flushCapture();
      assertThat(over.poll(QUIET, 8)).isEqualTo(1);
    }
    assertThat(told).hasSize(1);
    assertThat(failing.leftOut()).isEqualTo(10);
  }

  @Test
  void nothingIsAllocated() throws IOException {
    PcapFile nowhere = new PcapFile(Path.of("/dev/null"), Long.MAX_VALUE, told::add);
    CapturingNic over = new CapturingNic(lossy, nowhere, CapturingNic.wallClock());
    MemorySegment memory = Arena.ofAuto().allocate(64);
    FrameBuilder frame = frame(3, 32);
    new AllocationMeter()
        .assertAllocatesNothing(
            () -> {
              over.transmit(1, memory, 0, 64);
              over.transmit(1, frame);
              long at = over.reserve(1, 64);
              over.transmitMemory().set(JAVA_BYTE, at, (byte) 1);
              over.commit(64);
              over.poll(QUIET, 8);
            });
    assertThat(nowhere.frames()).isGreaterThanOrEqualTo(60_000);
    assertThat(told).isEmpty();
  }

  @Test
  void wallClockTellsTheTime() {
    long nowMs = CapturingNic.wallClock().getAsLong() / 1_000_000;
    assertThat(nowMs)
        .isBetween(System.currentTimeMillis() - 10_000, System.currentTimeMillis() + 10_000);
  }
}

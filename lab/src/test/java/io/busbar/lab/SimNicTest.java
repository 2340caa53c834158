package io.busbar.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.fabric.FrameReceiver;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicCount;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What the simulated interface promises the lab, beside the contract. */
class SimNicTest {
  private static final int RING_FRAMES = 256;
  private static final int PORTS = 4;
  private static final int CLAIMS = 2;
  private static final long MS = 1_000_000;
  private static final FrameReceiver QUIET = (peer, memory, offset, length, frame) -> {};

  private final Schedule schedule = new Schedule();
  private final Faults faults = new Faults(new SplittableRandom(1), PORTS);
  private final Network network =
      new Network(
          schedule,
          new LinkSpec(10_000_000_000L, 10_000, 10_000, 10_000),
          faults,
          true,
          PORTS,
          256);
  private final MemorySegment bytes = MemorySegment.ofArray(new byte[256]);
  private final List<Integer> rings = new ArrayList<>();
  private final SimNic[] nics = new SimNic[PORTS];

  SimNicTest() {
    for (int i = 0; i < PORTS; i++) {
      nics[i] = plugIn(i);
    }
    for (SimNic nic : nics) {
      for (int i = 0; i < PORTS; i++) {
        nic.open(new SimAddress(i));
      }
    }
    bytes.fill((byte) 7);
  }

  private SimNic plugIn(int port) {
    return new SimNic(network, port, CLAIMS, () -> rings.add(port));
  }

  private void run() {
    schedule.runUntil(schedule.nowNs() + 10 * MS);
  }

  @Test
  void bellRingsForEachArrivalAndNotBefore() {
    nics[0].transmit(1, bytes, 0, 64);
    nics[0].transmit(2, bytes, 0, 64);
    assertThat(rings).isEmpty();
    run();
    assertThat(rings).containsExactly(1, 2);
    assertThat(nics[1].hasArrivals()).isTrue();
  }

  @Test
  void whatFindsTheRingFullIsLostAndCounted() {
    for (int i = 0; i < RING_FRAMES + 5; i++) {
      assertThat(nics[0].transmit(1, bytes, 0, 64)).isEqualTo(Nic.DONE);
    }
    run();
    assertThat(nics[1].poll(QUIET, Integer.MAX_VALUE)).isEqualTo(RING_FRAMES);
    assertThat(nics[1].counters().get(NicCount.LOST_ARRIVING)).isEqualTo(5);
    assertThat(rings).hasSize(RING_FRAMES);
  }

  @Test
  void broadcastCrossesItsSendersLinkOnceAndMeetsAFateForEach() {
    List<String> fates = new ArrayList<>();
    network.watch((now, what, frame, length) -> fates.add(what));
    faults.cut(0, 2, true);
    nics[0].transmit(Nic.EVERYONE, bytes, 0, 64);
    run();
    assertThat(fates).containsExactly("sent", "lost", "arrived", "arrived");
    assertThat(network.frames()).isEqualTo(1);
    assertThat(rings).containsExactlyInAnyOrder(1, 3);
  }

  @Test
  void copiesOfABroadcastAreSpoiltOneByOne() {
    Network raw =
        new Network(schedule, new LinkSpec(1_000_000_000L, 0, 8, 8), faults, false, PORTS, 256);
    List<MemorySegment> came = new ArrayList<>();
    for (int i = 1; i < PORTS; i++) {
      raw.attach(i, frame -> came.add(MemorySegment.ofArray(frame.bytes.toArray(BYTE))));
    }
    faults.corrupt = 1;
    raw.send(0, Nic.EVERYONE, bytes, 0, 256);
    run();
    assertThat(came).hasSize(3).allMatch(copy -> copy.mismatch(bytes) >= 0);
    assertThat(came.get(0).mismatch(came.get(1))).isNotEqualTo(-1);
  }

  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

  @Test
  void closedInterfaceHearsNothingAndTheNextOneStartsAfresh() {
    nics[0].transmit(1, bytes, 0, 64);
    run();
    nics[1].poll((peer, memory, offset, length, frame) -> nics[1].claim(frame), 1);
    nics[0].transmit(1, bytes, 0, 64);
    run();
    nics[1].close();
    nics[0].transmit(1, bytes, 0, 64);
    run();
    SimNic next = plugIn(1);
    assertThat(next.hasArrivals()).isFalse();
    assertThat(nics[1].claims()).isZero();
    nics[0].transmit(1, bytes, 0, 64);
    run();
    assertThat(next.poll(QUIET, 9)).isEqualTo(1);
  }

  /** Whoever still reads a frame that was given back reads nonsense. */
  @Test
  void releasedFrameIsOverwritten() {
    nics[0].transmit(1, bytes, 0, 64);
    run();
    List<MemorySegment> kept = new ArrayList<>();
    long[] name = new long[1];
    nics[1].poll(
        (peer, memory, offset, length, frame) -> {
          assertThat(nics[1].claim(frame)).isTrue();
          kept.add(memory);
          name[0] = frame;
        },
        1);
    assertThat(kept.getFirst().get(BYTE, 0)).isEqualTo((byte) 7);
    assertThat(nics[1].claims()).isEqualTo(1);
    nics[1].release(name[0]);
    assertThat(kept.getFirst().get(BYTE, 0)).isEqualTo((byte) 0xDD);
    assertThat(nics[1].claims()).isZero();
  }

  @Test
  void claimReleasedDuringItsDeliveryEndsWithIt() {
    nics[0].transmit(1, bytes, 0, 64);
    run();
    nics[1].poll(
        (peer, memory, offset, length, frame) -> {
          nics[1].claim(frame);
          nics[1].release(frame);
          assertThat(memory.get(BYTE, offset)).isEqualTo((byte) 7);
          assertThat(nics[1].claim(frame)).isTrue();
          nics[1].release(frame);
        },
        1);
    assertThat(nics[1].claims()).isZero();
  }

  @Test
  void claimOfAFrameThatIsOverIsRefused() {
    nics[0].transmit(1, bytes, 0, 64);
    run();
    long[] name = new long[1];
    nics[1].poll((peer, memory, offset, length, frame) -> name[0] = frame, 1);
    assertThatThrownBy(() -> nics[1].claim(name[0]))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is over");
  }

  @Test
  void nothingElseIsCalledWhileAFrameIsReserved() {
    nics[0].reserve(1, 64);
    assertThatThrownBy(() -> nics[0].transmit(1, bytes, 0, 64))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("commit or abandon");
    assertThatThrownBy(() -> nics[0].poll(QUIET, 1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> nics[0].commit(65)).isInstanceOf(IllegalArgumentException.class);
    nics[0].abandon();
    assertThat(nics[0].transmit(1, bytes, 0, 64)).isEqualTo(Nic.DONE);
  }

  @Test
  void addressesCanBeReadAndThoseOfOtherCarriersAreRefused() {
    assertThat(SimAddress.parse("sim:3")).isEqualTo(new SimAddress(3));
    assertThat(SimAddress.parse(nics[2].address().text())).isEqualTo(nics[2].address());
    assertThatThrownBy(() -> SimAddress.parse("udp:3"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> SimAddress.parse("sim:")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new SimAddress(0xFFFF)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> nics[0].open(() -> "udp:10.0.0.1:7009"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("udp:10.0.0.1:7009");
  }

  @Test
  void portWhereNobodyIsTakesFramesAndLosesThem() {
    int peer = nics[0].open(new SimAddress(77));
    assertThat(nics[0].transmit(peer, bytes, 0, 64)).isEqualTo(Nic.DONE);
    run();
    assertThat(rings).isEmpty();
  }
}

package io.busbar.fabric.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.fabric.FabricException;
import io.busbar.fabric.FrameReceiver;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicAddress;
import io.busbar.fabric.NicCapability;
import io.busbar.fabric.NicCount;
import io.busbar.linux.PollSet;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract, on the loopback. */
class UdpNicTest {
  private static final long SECOND_NS = 1_000_000_000;
  private static final FrameReceiver NOBODY =
      (peer, memory, offset, length, frame) -> {
        throw new AssertionError("a frame that nobody sent");
      };

  private final Ends ends = new Ends();
  private final UdpNic left = ends.left;
  private final UdpNic right = ends.right;

  @AfterEach
  void close() {
    ends.close();
  }

  private static long count(UdpNic nic, NicCount count) {
    return nic.counters().get(count);
  }

  // Peers and addresses.

  @Test
  void saysWhatItIs() {
    assertThat(left.fabric()).isEqualTo("udp");
    assertThat(left.address().text()).matches("udp:127\\.0\\.0\\.1:\\d+");
    assertThat(left.capabilities())
        .containsExactlyInAnyOrder(
            NicCapability.CLAIMS, NicCapability.IN_PLACE, NicCapability.SLEEP);
    assertThat(left.address(ends.toRight)).isEqualTo(right.address());
  }

  @Test
  void anyAddressBecomesOneOfTheHost() {
    try (UdpNic nic = new UdpNic(UdpConfig.defaults(), new Recorder());
        UdpNic lo = new UdpNic(UdpConfig.builder().device("lo").build(), new Recorder());
        UdpNic six =
            new UdpNic(
                UdpConfig.builder().bind(UdpAddress.ANY_IPV6).device("1").build(),
                new Recorder())) {
      assertThat(nic.address().isAny()).isFalse();
      assertThat(nic.address().port()).isPositive();
      assertThat(lo.address().text()).startsWith("udp:127.0.0.1:");
      assertThat(lo.report().device()).isEqualTo("lo");
      assertThat(six.address().text()).startsWith("udp:[::1]:");
    }
  }

  @Test
  void placesThatCannotBeHadAreExplained() {
    assertThatThrownBy(() -> new UdpNic(Ends.config().bind(right.address()).build(), ends.events))
        .isInstanceOf(FabricException.class)
        .hasMessageStartingWith("cannot open UDP on " + right.address())
        .hasMessageContaining("EADDRINUSE; choose another port");
    assertThatThrownBy(
            () ->
                new UdpNic(
                    Ends.config().bind(UdpAddress.parse("198.51.100.1:0")).build(), ends.events))
        .isInstanceOf(FabricException.class)
        .hasMessageContaining("EADDRNOTAVAIL");
    assertThatThrownBy(
            () -> new UdpNic(UdpConfig.builder().device("nowhere0").build(), ends.events))
        .isInstanceOf(FabricException.class)
        .hasMessageContaining("nowhere0");
    assertThatThrownBy(() -> new UdpNic(UdpConfig.builder().device("987654").build(), ends.events))
        .isInstanceOf(FabricException.class)
        .hasMessageContaining("987654");
  }

  @Test
  void peersThatCannotBeReachedAreExplained() {
    assertThatThrownBy(() -> left.open(UdpAddress.parse("[::1]:7")))
        .isInstanceOf(FabricException.class)
        .hasMessageContaining("an address of the same family");
    assertThatThrownBy(() -> left.open(right.address().withPort(0)))
        .isInstanceOf(FabricException.class);
    assertThatThrownBy(() -> left.open(UdpAddress.parse("0.0.0.0:7")))
        .isInstanceOf(FabricException.class);
    NicAddress elsewhere = () -> "shm:1";
    assertThatThrownBy(() -> left.open(elsewhere))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("shm:1 is no UDP address");
    // From the loopback the kernel lets nothing leave the host.
    assertThatThrownBy(() -> left.open(UdpAddress.parse("198.51.100.1:7")))
        .isInstanceOf(FabricException.class)
        .hasMessageStartingWith("cannot open udp:198.51.100.1:7: ");
  }

  @Test
  void closedPeerIsGoneAndItsFramesLeaveStill() {
    Frames.transmit(left, ends.toRight, Frames.of(100));
    left.close(ends.toRight);
    left.close(ends.toRight); // gone already: left alone
    left.close(4711);
    byte[] frame = Frames.one(10, 1);
    assertThat(left.transmit(ends.toRight, MemorySegment.ofArray(frame), 0, 10))
        .isEqualTo(Nic.GONE);
    assertThat(left.reserve(ends.toRight, 10)).isEqualTo(Nic.GONE);
    assertThat(left.reserve(Nic.STRANGER, 10)).isEqualTo(Nic.GONE);
    assertThat(left.reserve(Nic.EVERYONE, 10)).isEqualTo(Nic.GONE);
    assertThat(count(left, NicCount.REFUSED_GONE)).isEqualTo(4);
    assertThatThrownBy(() -> left.address(ends.toRight))
        .hasMessage("peer %d is not open", ends.toRight);
    assertThatThrownBy(() -> left.frameBytesMax(ends.toRight))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(left.flush()).isZero();
    ends.inbox.await(right, 1);
    assertThat(left.open(right.address())).isEqualTo(ends.toRight);
    assertThat(left.report().shortcuts()).isEqualTo(1);
  }

  @Test
  void openedAgainIsTheSame() {
    assertThat(left.open(right.address())).isEqualTo(ends.toRight);
    int self = left.open(left.address());
    assertThat(self).isNotEqualTo(ends.toRight);
    Frames.transmit(left, self, Frames.of(50));
    assertThat(left.flush()).isZero();
    ends.inbox.await(left, 1);
    assertThat(ends.inbox.peers.getFirst()).isEqualTo(self);
  }

  // Carrying.

  @Test
  void loopbackHasAShortcutWhichSendsFromTheSameAddress() {
    assertThat(left.report().shortcuts()).isEqualTo(1);
    Frames.transmit(left, ends.toRight, Frames.of(10));
    assertThat(left.flush()).isZero();
    ends.inbox.await(right, 1);
    assertThat(ends.inbox.peers.getFirst()).isEqualTo(ends.toLeft);
  }

  @Test
  void withoutShortcutsOrOffloadsAllArrives() {
    UdpConfig plain = Ends.config().peers(4, 0).offloads(Offload.OFF, Offload.OFF).build();
    try (Ends slow = new Ends(plain, plain)) {
      assertThat(slow.left.report().shortcuts()).isZero();
      assertThat(slow.left.report().gso()).isFalse();
      assertThat(slow.left.report().gro()).isFalse();
      List<byte[]> frames = Frames.of(10, 700, 700, 700, 30);
      Frames.transmit(slow.left, slow.toRight, frames.subList(0, 1));
      assertThat(slow.left.flush()).isZero();
      Frames.transmit(slow.left, slow.toRight, frames.subList(1, 5));
      assertThat(slow.left.flush()).isZero();
      slow.inbox.await(slow.right, 5);
      assertThat(slow.inbox.frames).containsExactlyElementsOf(frames);
      assertThat(count(slow.left, NicCount.CALLS_SENT)).isEqualTo(2);
    }
  }

  @Test
  void ipv6() {
    try (Ends six = new Ends(Ends.config6().build(), Ends.config6().build())) {
      assertThat(six.left.address().text()).matches("udp:\\[::1]:\\d+");
      assertThat(six.left.report().shortcuts()).isEqualTo(1);
      int max = six.left.frameBytesMax(six.toRight);
      assertThat(max).isEqualTo(65_536 - 48);
      List<byte[]> frames = Frames.of(64, 1452, 1452, 1452, 100, max);
      Frames.transmit(six.left, six.toRight, frames.subList(0, 1));
      assertThat(six.left.flush()).isZero();
      Frames.transmit(six.left, six.toRight, frames.subList(1, 6));
      assertThat(six.left.flush()).isZero();
      six.inbox.await(six.right, 6);
      assertThat(six.inbox.frames).containsExactlyElementsOf(frames);
      assertThat(six.inbox.peers).containsOnly(six.toLeft);
      assertThat(count(six.left, NicCount.CALLS_SENT)).isEqualTo(2);
    }
  }

  // Sleeping.

  @Test
  void sleeperIsWokenByAFrame() {
    PollSet set = new PollSet(2);
    right.listen(set);
    assertThat(set.count()).isEqualTo(1);
    assertThat(right.arm()).isTrue();
    assertThat(set.await(0)).isZero();
    Frames.transmit(left, ends.toRight, Frames.of(10, 10, 10));
    assertThat(left.flush()).isZero();
    assertThat(set.await(SECOND_NS)).isEqualTo(1);
    right.disarm();
    assertThat(right.arm()).isFalse();
    right.disarm();
    assertThat(right.poll(ends.inbox, 1)).isEqualTo(1);
    assertThat(right.arm()).as("leftovers of a chunk wait").isFalse();
    right.disarm();
    assertThat(right.poll(ends.inbox, 10)).isEqualTo(2);
    assertThat(right.arm()).isTrue();
    right.disarm();
  }

  // After the end.

  @Test
  void closedInterfaceSaysSo() {
    left.register(Arena.ofAuto().allocate(512));
    MemorySegment bytes = MemorySegment.ofArray(new byte[10]);
    left.close();
    left.close();
    String message = left.address() + " was closed";
    assertThatThrownBy(() -> left.open(right.address())).hasMessage(message);
    assertThatThrownBy(() -> left.close(ends.toRight)).hasMessage(message);
    assertThatThrownBy(() -> left.reserve(ends.toRight, 10)).hasMessage(message);
    assertThatThrownBy(() -> left.commit(10)).hasMessage(message);
    assertThatThrownBy(left::abandon).hasMessage(message);
    assertThatThrownBy(() -> left.transmit(ends.toRight, bytes, 0, 10)).hasMessage(message);
    assertThatThrownBy(left::flush).hasMessage(message);
    assertThatThrownBy(() -> left.poll(ends.inbox, 10)).hasMessage(message);
    assertThatThrownBy(() -> left.claim(1)).hasMessage(message);
    assertThatThrownBy(() -> left.release(1)).hasMessage(message);
    assertThatThrownBy(() -> left.listen(new PollSet(1))).hasMessage(message);
    assertThatThrownBy(left::arm).hasMessage(message);
    assertThatThrownBy(left::disarm).isInstanceOf(IllegalStateException.class).hasMessage(message);
    assertThat(left.isComplete(7)).isTrue();
  }

  @Test
  void quietInterfaceHasNothing() {
    assertThat(right.poll(NOBODY, 64)).isZero();
    assertThat(right.poll(NOBODY, 0)).isZero();
    assertThat(count(right, NicCount.CALLS_RECEIVED)).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1 << 20, 1 << 29})
  void buffersAreReported(int wanted) {
    Recorder events = new Recorder();
    try (UdpNic nic = new UdpNic(Ends.config().buffers(wanted, 1 << 16).build(), events)) {
      UdpReport report = nic.report();
      assertThat(report.receiveBytesWanted()).isEqualTo(wanted);
      assertThat(report.receiveBytes()).isBetween(1024, wanted);
      assertThat(report.receiveBytesLimit()).isPositive();
      assertThat(report.sendBytesLimit()).isPositive();
      assertThat(report.device()).isEqualTo("lo");
      assertThat(report.mtuBytes()).isGreaterThan(1000);
      boolean small = report.receiveBytes() < wanted / 2;
      assertThat(events.warnings.stream().anyMatch(text -> text.contains("net.core.rmem_max")))
          .isEqualTo(small);
    }
  }
}

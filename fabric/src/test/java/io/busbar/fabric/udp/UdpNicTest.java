package io.busbar.fabric.udp;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.fabric.FabricException;
import io.busbar.fabric.FrameReceiver;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicAddress;
import io.busbar.fabric.NicCapability;
import io.busbar.fabric.NicCount;
import io.busbar.linux.PollSet;
import io.busbar.memory.Role;
import io.busbar.wire.FrameBuilder;
import io.busbar.wire.Header;
import io.busbar.wire.Seal;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
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

  private long count(UdpNic nic, NicCount count) {
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

  // Sending.

  @Test
  void frameIsWrittenInPlace() {
    byte[] bytes = Frames.one(300, 5);
    long at = left.reserve(ends.toRight, 1000);
    MemorySegment.copy(bytes, 0, left.transmitMemory(), JAVA_BYTE, at, bytes.length);
    left.commit(bytes.length);
    long second = left.reserve(ends.toRight, 300);
    assertThat(second).isEqualTo(at + 300);
    left.abandon();
    at = left.reserve(ends.toRight, 20);
    assertThat(at).isEqualTo(second);
    MemorySegment.copy(bytes, 0, left.transmitMemory(), JAVA_BYTE, at, 20);
    left.commit(20);
    assertThat(left.flush()).isZero();
    ends.inbox.await(right, 2);
    assertThat(ends.inbox.frames.get(0)).isEqualTo(bytes);
    assertThat(ends.inbox.frames.get(1)).hasSize(20);
    assertThat(count(left, NicCount.COPIED)).isZero();
    assertThat(count(left, NicCount.IN_PLACE)).isZero();
  }

  @Test
  void reservationIsEndedBeforeAnythingElse() {
    assertThat(left.reserve(ends.toRight, 10)).isNotNegative();
    MemorySegment bytes = MemorySegment.ofArray(new byte[10]);
    assertThatThrownBy(() -> left.reserve(ends.toRight, 10))
        .hasMessage("a frame is reserved: commit or abandon it first");
    assertThatThrownBy(() -> left.transmit(ends.toRight, bytes, 0, 10))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(left::flush).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> left.poll(ends.inbox, 1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> left.commit(11))
        .hasMessage("a frame of 10 bytes was reserved, and 11 are sent");
    assertThatThrownBy(() -> left.commit(0)).isInstanceOf(IllegalArgumentException.class);
    left.commit(10);
    assertThatThrownBy(() -> left.commit(10)).hasMessage("no frame is reserved");
    assertThatThrownBy(left::abandon).hasMessage("no frame is reserved");
  }

  @Test
  void emptyFramesAreRefused() {
    MemorySegment bytes = MemorySegment.ofArray(new byte[10]);
    assertThatThrownBy(() -> left.transmit(ends.toRight, bytes, 0, 0))
        .hasMessage("a frame has at least one byte, not 0");
    assertThatThrownBy(() -> left.reserve(ends.toRight, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> left.transmit(ends.toRight, bytes, 5, 6))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void longestFrameIsTheLast() {
    int max = left.frameBytesMax(ends.toRight);
    assertThat(max).isEqualTo(65_507);
    assertThat(left.reserve(ends.toRight, max + 1)).isEqualTo(Nic.TOO_LONG);
    Frames.transmit(left, ends.toRight, Frames.of(max));
    assertThat(left.flush()).isZero();
    ends.inbox.await(right, 1);
    assertThat(ends.inbox.frames.getFirst()).isEqualTo(Frames.one(max, 0));
  }

  private static FrameBuilder built(MemorySegment scratch, byte[] small, MemorySegment large) {
    FrameBuilder builder = new FrameBuilder(scratch, false, Seal.NONE);
    builder.begin();
    builder.bytes(MemorySegment.ofArray(small), 0, small.length);
    builder.bytes(large, 0, (int) large.byteSize());
    builder.word(0x0102_0304_0506_0708L, 0, 8);
    builder.finish(1, 2, 3, 4, 5, 6, 7, 8, 0);
    return builder;
  }

  private static byte[] whole(FrameBuilder builder) {
    MemorySegment bytes = MemorySegment.ofArray(new byte[builder.frameBytes()]);
    builder.copyTo(bytes, 0);
    return bytes.toArray(JAVA_BYTE);
  }

  @Test
  void gatheredFrameIsCopiedFromMemoryThatIsNotRegistered() {
    byte[] large = Frames.one(4000, 9);
    MemorySegment scratch = MemorySegment.ofArray(new byte[8192]);
    FrameBuilder builder = built(scratch, Frames.one(100, 1), MemorySegment.ofArray(large));
    assertThat(builder.parts()).isEqualTo(3);
    byte[] expected = whole(builder);
    assertThat(left.transmit(ends.toRight, builder)).isEqualTo(Nic.DONE);
    scratch.fill((byte) 0);
    assertThat(left.flush()).isZero();
    ends.inbox.await(right, 1);
    assertThat(ends.inbox.frames.getFirst()).isEqualTo(expected);
    assertThat(count(left, NicCount.COPIED)).isEqualTo(1);
  }

  @Test
  void registeredPartsLeaveFromWhereTheyAre() {
    registeredPartsLeaveFromWhereTheyAre(ends);
    assertThat(count(left, NicCount.CALLS_SENT)).isEqualTo(1);
  }

  @Test
  void registeredPartsLeaveOneByOneWhereTheKernelDoesNotCut() {
    UdpConfig config = Ends.config().offloads(Offload.OFF, Offload.OFF).build();
    try (Ends slow = new Ends(config, config)) {
      registeredPartsLeaveFromWhereTheyAre(slow);
    }
  }

  private void registeredPartsLeaveFromWhereTheyAre(Ends pair) {
    UdpNic nic = pair.left;
    MemorySegment large = Frames.memory(Frames.one(4000, 9));
    nic.register(large);
    MemorySegment scratch = Arena.ofAuto().allocate(8192);
    List<byte[]> expected = new ArrayList<>();
    List<Long> tickets = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      FrameBuilder builder = built(scratch, Frames.one(100, i), large);
      expected.add(whole(builder));
      tickets.add(nic.transmit(pair.toRight, builder));
    }
    assertThat(tickets).doesNotHaveDuplicates().allMatch(ticket -> ticket > Nic.DONE);
    assertThat(tickets).noneMatch(nic::isComplete);
    assertThatThrownBy(() -> nic.deregister(large))
        .hasMessage("a frame in this memory has not left yet: flush first");
    // The proof that nothing was copied: what is written now is what arrives.
    large.set(JAVA_BYTE, 17, (byte) 0x55);
    int at = Header.BYTES + 100 + 17;
    expected.forEach(frame -> frame[at] = 0x55);
    assertThat(nic.flush()).isZero();
    assertThat(tickets).allMatch(nic::isComplete);
    pair.inbox.await(pair.right, 5);
    assertThat(pair.inbox.frames).containsExactlyElementsOf(expected);
    assertThat(count(nic, NicCount.IN_PLACE)).isEqualTo(5);
    nic.deregister(large);
    assertThatThrownBy(() -> nic.deregister(large)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void onlyLongPiecesOfRegisteredMemoryStayInPlace() {
    MemorySegment memory = Frames.memory(Frames.one(4000, 9));
    left.register(memory.asSlice(0, 2000));
    assertThat(left.transmit(ends.toRight, memory, 0, 255)).isEqualTo(Nic.DONE);
    assertThat(left.transmit(ends.toRight, memory, 1900, 256)).isEqualTo(Nic.DONE);
    long ticket = left.transmit(ends.toRight, memory, 1000, 256);
    assertThat(Nic.isTicket(ticket)).isTrue();
    assertThat(left.isComplete(ticket)).isFalse();
    assertThat(left.isComplete(Nic.DONE)).isTrue();
    memory.fill((byte) 1);
    assertThat(left.flush()).isZero();
    assertThat(left.isComplete(ticket)).isTrue();
    ends.inbox.await(right, 3);
    assertThat(ends.inbox.frames.get(0)).isEqualTo(Arrays.copyOf(Frames.one(4000, 9), 255));
    assertThat(ends.inbox.frames.get(2)).containsOnly(1);
    // One alone, which goes by another call.
    ticket = left.transmit(ends.toRight, memory, 100, 1900);
    assertThat(left.isComplete(ticket)).isFalse();
    assertThat(left.flush()).isZero();
    assertThat(left.isComplete(ticket)).isTrue();
    ends.inbox.await(right, 4);
    assertThat(count(left, NicCount.IN_PLACE)).isEqualTo(2);
    assertThat(count(left, NicCount.COPIED)).isEqualTo(2);
  }

  @Test
  void heapIsNeverRegistered() {
    assertThatThrownBy(() -> left.register(MemorySegment.ofArray(new byte[512])))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void buffersCannotBeGivenAway() {
    assertThatThrownBy(() -> left.transfer(ends.toRight, 1, Role.APPLICATION, 10))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(left::pool).isInstanceOf(UnsupportedOperationException.class);
  }

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

package io.busbar.fabric.udp;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.fabric.Nic;
import io.busbar.fabric.NicCount;
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

/** Frames that are written in place, copied, left where they are, or refused. */
class OutboundTest {
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
    assertThat(left.transmit(ends.toRight, memory, 0, 127)).isEqualTo(Nic.DONE);
    assertThat(left.transmit(ends.toRight, memory, 1900, 256)).isEqualTo(Nic.DONE);
    long ticket = left.transmit(ends.toRight, memory, 1000, 256);
    assertThat(Nic.isTicket(ticket)).isTrue();
    assertThat(left.isComplete(ticket)).isFalse();
    assertThat(left.isComplete(Nic.DONE)).isTrue();
    memory.fill((byte) 1);
    assertThat(left.flush()).isZero();
    assertThat(left.isComplete(ticket)).isTrue();
    ends.inbox.await(right, 3);
    assertThat(ends.inbox.frames.get(0)).isEqualTo(Arrays.copyOf(Frames.one(4000, 9), 127));
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
}

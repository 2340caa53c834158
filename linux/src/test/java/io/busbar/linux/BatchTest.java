package io.busbar.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Many datagrams in a call, over the loopback. */
class BatchTest {
  private static final int LOOPBACK = 0x7F00_0001;
  private static final int SLOT_BYTES = 65536;
  private static final long SECOND_NS = 1_000_000_000;

  private final Arena arena = Arena.ofAuto();
  private final NativeSocket sender = NativeSocket.udp4();
  private final NativeSocket receiver = NativeSocket.udp4();
  private final ReceiveBatch arrived = new ReceiveBatch(16);
  private final MemorySegment slots = arena.allocate(16L * SLOT_BYTES);

  @BeforeEach
  void open() {
    receiver.bind(new NativeAddress().ipv4(LOOPBACK, 0));
    SocketBuffers.receive(receiver, 1 << 20);
    for (int i = 0; i < arrived.slots(); i++) {
      arrived.slot(i, slots, (long) i * SLOT_BYTES, SLOT_BYTES);
    }
  }

  @AfterEach
  void close() {
    sender.close();
    receiver.close();
  }

  private int receive() {
    PollSet set = new PollSet(1);
    set.add(receiver.descriptor(), PollSet.IN);
    assertThat(set.await(SECOND_NS)).isEqualTo(1);
    return arrived.receive(receiver, arrived.slots());
  }

  private MemorySegment slot(int i) {
    return slots.asSlice((long) i * SLOT_BYTES, arrived.bytes(i));
  }

  @Test
  void datagramsOfPartsArriveInOrder() {
    SendBatch batch = new SendBatch(8, 3);
    NativeAddress to = receiver.localAddress();
    MemorySegment header = Patterns.of(arena, 32, 9);
    MemorySegment body = Patterns.of(arena, 4000, 5);
    for (int i = 0; i < 8; i++) {
      batch.message(to).part(header, 0, 32).part(body, i, 100L * i).part(header, 8, 4);
    }
    assertThat(batch.isFull()).isTrue();
    assertThat(batch.send(sender)).isEqualTo(8);
    assertThat(batch.remaining()).isZero();
    assertThat(batch.send(sender)).isZero();
    assertThat(receive()).isEqualTo(8);
    NativeAddress from = new NativeAddress();
    for (int i = 0; i < 8; i++) {
      assertThat(arrived.bytes(i)).isEqualTo(36 + 100 * i);
      assertThat(slot(i).asSlice(0, 32).mismatch(header)).isEqualTo(-1);
      assertThat(slot(i).asSlice(32, 100L * i).mismatch(body.asSlice(i, 100L * i))).isEqualTo(-1);
      assertThat(slot(i).asSlice(32 + 100L * i).mismatch(header.asSlice(8, 4))).isEqualTo(-1);
      assertThat(arrived.segmentBytes(i)).isEqualTo(arrived.bytes(i));
      assertThat(arrived.isTruncated(i)).isFalse();
      arrived.from(i, from);
      assertThat(from.ipv4()).isEqualTo(LOOPBACK);
      assertThat(from.port()).isEqualTo(sender.localAddress().port());
    }
    assertThat(arrived.receive(receiver, 16)).isEqualTo(-Errno.EAGAIN);
    assertThat(arrived.count()).isZero();
    assertThatThrownBy(() -> arrived.bytes(0)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  /** What is not sent by a connected socket keeps its address. */
  @Test
  void connectedSocketNeedsNoAddress() {
    try (NativeSocket elsewhere = NativeSocket.udp4()) {
      elsewhere.bind(new NativeAddress().ipv4(LOOPBACK, 0));
      SendBatch batch = new SendBatch(2, 1);
      MemorySegment body = Patterns.of(arena, 100, 5);
      batch.message(elsewhere.localAddress()).part(body, 0, 10);
      batch.message(elsewhere.localAddress()).part(body, 0, 20);
      assertThat(batch.sendConnected(sender)).isEqualTo(-Errno.EDESTADDRREQ);
      assertThat(batch.remaining()).isEqualTo(2);
      sender.connect(receiver.localAddress());
      assertThat(batch.sendConnected(sender)).isEqualTo(2);
      assertThat(receive()).isEqualTo(2);
      batch.clear();
      batch.message(receiver.localAddress()).part(body, 0, 30);
      assertThat(batch.sendConnected(elsewhere)).isNegative();
      assertThat(batch.send(elsewhere)).isEqualTo(1);
      assertThat(receive()).isEqualTo(1);
      assertThat(arrived.bytes(0)).isEqualTo(30);
    }
  }

  @Test
  void segmentsAreCutBySendingAlone() {
    sender.connect(receiver.localAddress());
    MemorySegment body = Patterns.of(arena, 10_000, 2);
    SendBatch batch = new SendBatch(1, 1);
    batch.message().part(body, 0, 10_000).segmentBytes(1472);
    assertThat(batch.send(sender)).isEqualTo(1);
    assertThat(receive()).isEqualTo(7);
    long at = 0;
    for (int i = 0; i < 7; i++) {
      assertThat(arrived.bytes(i)).isEqualTo(i < 6 ? 1472 : 10_000 - 6 * 1472);
      assertThat(slot(i).mismatch(body.asSlice(at, arrived.bytes(i)))).isEqualTo(-1);
      at += arrived.bytes(i);
    }
  }

  @Test
  void segmentsArriveGluedTogether() {
    receiver.set(SocketOption.UDP_GRO, 1);
    sender.connect(receiver.localAddress());
    int bytes = 44 * 1472 - 300;
    SendBatch batch = new SendBatch(4, 2);
    MemorySegment[] bodies = new MemorySegment[3];
    for (int i = 0; i < 3; i++) {
      bodies[i] = Patterns.of(arena, bytes, i);
      batch.message().part(bodies[i], 0, 999).part(bodies[i], 999, bytes - 999);
      batch.segmentBytes(1472);
    }
    batch.message().part(bodies[0], 0, 50);
    assertThat(batch.send(sender)).isEqualTo(4);
    assertThat(receive()).isEqualTo(4);
    for (int i = 0; i < 3; i++) {
      assertThat(arrived.bytes(i)).isEqualTo(bytes);
      assertThat(arrived.segmentBytes(i)).isEqualTo(1472);
      assertThat(slot(i).mismatch(bodies[i])).isEqualTo(-1);
    }
    assertThat(arrived.bytes(3)).isEqualTo(50);
    assertThat(arrived.segmentBytes(3)).isEqualTo(50);
  }

  @Test
  void sourceIsCompared() {
    sender.bind(new NativeAddress().ipv4(LOOPBACK, 0));
    NativeAddress from = sender.localAddress();
    MemorySegment body = Patterns.of(arena, 8, 0);
    assertThat(sender.sendTo(body, 0, 8, receiver.localAddress())).isEqualTo(8);
    assertThat(receive()).isEqualTo(1);
    assertThat(arrived.isFrom(0, from)).isTrue();
    assertThat(arrived.isFrom(0, new NativeAddress())).isFalse();
    assertThat(arrived.isFrom(0, receiver.localAddress())).isFalse();
    assertThat(arrived.isFrom(0, new NativeAddress().ipv6(0, 1, from.port(), 0))).isFalse();
    NativeAddress copy = new NativeAddress();
    arrived.from(0, copy);
    assertThat(arrived.isFrom(0, copy)).isTrue();
  }

  @Test
  void sourceIsComparedToItsLastByte() {
    NativeAddress one = new NativeAddress().ipv6(1, 2, 3, 4);
    NativeAddress other = new NativeAddress().ipv6(1, 2, 3, 5);
    assertThat(one.equals(one.segment(), 0, one.length())).isTrue();
    assertThat(one.equals(other.segment(), 0, other.length())).isFalse();
  }

  @Test
  void tooSmallSlotSaysSo() {
    arrived.slot(0, slots, 0, 100);
    sender.sendTo(Patterns.of(arena, 200, 0), 0, 200, receiver.localAddress());
    assertThat(receive()).isEqualTo(1);
    assertThat(arrived.bytes(0)).isEqualTo(100);
    assertThat(arrived.isTruncated(0)).isTrue();
  }

  @Test
  void budgetBoundsACall() {
    SendBatch batch = new SendBatch(8, 1);
    MemorySegment body = Patterns.of(arena, 8, 0);
    for (int i = 0; i < 8; i++) {
      batch.message(receiver.localAddress()).part(body, 0, 1 + i);
    }
    assertThat(batch.send(sender)).isEqualTo(8);
    assertThat(arrived.receive(receiver, 3)).isEqualTo(3);
    assertThat(arrived.bytes(2)).isEqualTo(3);
    assertThat(arrived.receive(receiver, 16)).isEqualTo(5);
    assertThat(arrived.bytes(0)).isEqualTo(4);
  }

  @Test
  void badMessageIsPassedOver() {
    SendBatch batch = new SendBatch(3, 1);
    NativeAddress to = receiver.localAddress();
    MemorySegment body = Patterns.of(arena, 70_000, 0);
    batch.message(to).part(body, 0, 1);
    batch.message(to).part(body, 0, 70_000);
    batch.message(to).part(body, 0, 3);
    assertThat(batch.send(sender)).isEqualTo(1);
    assertThat(batch.send(sender)).isEqualTo(-Errno.EMSGSIZE);
    assertThat(batch.remaining()).isEqualTo(2);
    batch.skip();
    assertThat(batch.send(sender)).isEqualTo(1);
    assertThat(receive()).isEqualTo(2);
    assertThat(arrived.bytes(1)).isEqualTo(3);
    batch.clear();
    assertThat(batch.count()).isZero();
  }

  @Test
  void datagramsWithoutRoomAreCounted() {
    receiver.set(SocketOption.SO_RXQ_OVFL, 1);
    receiver.set(SocketOption.SO_RCVBUF, 1);
    NativeAddress to = receiver.localAddress();
    MemorySegment body = Patterns.of(arena, 2000, 0);
    int sent = 0;
    int heard = 0;
    int lost = 0;
    while (lost == 0 && sent < 1000) {
      assertThat(sender.sendTo(body, 0, 1000, to)).isEqualTo(1000);
      sent++;
      if (sent % 100 == 0) {
        for (int count = receive(); count > 0; count = arrived.receive(receiver, 16)) {
          heard += count;
          lost = Math.max(lost, arrived.overflows(count - 1));
        }
      }
    }
    assertThat(lost).isPositive();
    assertThat(heard + lost).isLessThanOrEqualTo(sent);
  }

  @Test
  void countOfDatagramsWithoutRoomTravelsBesideTheGlue() {
    receiver.set(SocketOption.SO_RXQ_OVFL, 1);
    receiver.set(SocketOption.UDP_GRO, 1);
    receiver.set(SocketOption.SO_RCVBUF, 1);
    sender.connect(receiver.localAddress());
    MemorySegment body = Patterns.of(arena, 3000, 2);
    for (int i = 0; i < 50; i++) {
      assertThat(sender.send(body, 0, 1000)).isEqualTo(1000);
    }
    while (arrived.receive(receiver, 16) > 0) {
      assertThat(arrived.segmentBytes(0)).isEqualTo(1000);
    }
    SocketBuffers.receive(receiver, 1 << 20);
    SendBatch batch = new SendBatch(1, 1);
    batch.message().part(body, 0, 3000).segmentBytes(1000);
    assertThat(batch.send(sender)).isEqualTo(1);
    assertThat(receive()).isEqualTo(1);
    assertThat(arrived.bytes(0)).isEqualTo(3000);
    assertThat(arrived.segmentBytes(0)).isEqualTo(1000);
    assertThat(arrived.overflows(0)).isPositive().isLessThan(50);
  }

  @Test
  void boundsAreKept() {
    assertThatThrownBy(() -> new SendBatch(1025, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new ReceiveBatch(0)).isInstanceOf(IllegalArgumentException.class);
    SendBatch batch = new SendBatch(1, 1);
    MemorySegment body = arena.allocate(8);
    assertThatThrownBy(() -> batch.part(body, 0, 8)).hasMessage("begin a message first");
    batch.message().part(body, 0, 8);
    assertThatThrownBy(() -> batch.part(body, 0, 8)).hasMessageContaining("at most 1 parts");
    assertThatThrownBy(batch::message).hasMessageContaining("the batch is full");
    assertThatThrownBy(() -> batch.segmentBytes(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> arrived.receive(receiver, 17))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }
}

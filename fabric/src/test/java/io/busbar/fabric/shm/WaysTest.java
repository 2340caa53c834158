package io.busbar.fabric.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.fabric.Nic;
import io.busbar.fabric.NicCount;
import io.busbar.linux.Mapping;
import io.busbar.memory.Pool;
import io.busbar.memory.PoolLayout;
import io.busbar.memory.Role;
import io.busbar.wire.SharedSegment;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every way that a frame takes; afterwards every block is free again. */
@Timeout(60)
class WaysTest {
  private final Folder folder = new Folder();
  private final Station a = new Station(folder);
  private final Station b = new Station(folder);
  private final Station c = new Station(folder);
  private final Arena arena = Arena.ofShared();
  private final int toB = a.open(b);

  @AfterEach
  void everythingRests() {
    try (folder;
        arena;
        a;
        b;
        c) {
      Station.await(
          "all blocks are free",
          () ->
              a.restsWithAllBlocksFree()
                  && b.restsWithAllBlocksFree()
                  && c.restsWithAllBlocksFree(),
          a,
          b,
          c);
    }
    assertThat(a.heard).allMatch(one -> one.number() >= 0);
    assertThat(b.heard).allMatch(one -> one.number() >= 0);
    assertThat(c.heard).allMatch(one -> one.number() >= 0);
  }

  private MemorySegment registered(int bytes, long number) {
    MemorySegment memory = arena.allocate(bytes);
    Letter.write(memory, 0, bytes, number);
    a.nic.register(memory);
    return memory;
  }

  @Test
  void insideTheRing() {
    for (int length = Letter.BYTES_MIN; length <= Station.INLINE_MAX; length += 31) {
      int one = length;
      Station.await("room", () -> a.send(toB, one, one) == Nic.DONE, a, b);
    }
    Station.await("the last", () -> b.heard.size() == 33, b);
    assertThat(b.heard).allMatch(one -> one.number() == one.length());
    assertThat(a.count(NicCount.COPIED)).isEqualTo(33);
  }

  @Test
  void inABufferThatIsGiven() {
    int[] lengths = {Station.INLINE_MAX + 1, 4096, 4097, 65536, 32 * Station.BLOCK};
    for (int i = 0; i < 20; i++) {
      int number = i;
      int length = lengths[i % lengths.length];
      Station.await("room", () -> a.send(toB, number, length) == Nic.DONE, a, b);
    }
    Station.await("the last", () -> b.heard.size() == 20, b);
    assertThat(b.numbers()).isEqualTo(LongStream.range(0, 20).boxed().toList());
  }

  @Test
  void byAChangeOfOwner() {
    Pool pool = a.nic.pool();
    long handle = pool.allocate(3 * Station.BLOCK, Role.APPLICATION);
    Letter.write(pool.segment(handle, Role.APPLICATION), 0, 9000, 7);
    assertThat(a.nic.transfer(toB, handle, Role.APPLICATION, 9000)).isEqualTo(Nic.DONE);
    Station.await("the frame", () -> b.heard.size() == 1, b);
    assertThat(b.numbers()).containsExactly(7L);
    assertThat(a.count(NicCount.IN_PLACE)).isEqualTo(1);
    assertThat(a.count(NicCount.COPIED)).isZero();
  }

  @Test
  void megabyteInBlocksOf64K() {
    ShmConfig large = Station.config(folder).with(new PoolLayout(1, 64 << 10));
    try (Station big = new Station(large)) {
      int peer = big.open(b);
      assertThat(big.nic.frameBytesMax(peer)).isEqualTo(2 << 20);
      Pool pool = big.nic.pool();
      long handle = pool.allocate(1 << 20, Role.APPLICATION);
      Letter.write(pool.segment(handle, Role.APPLICATION), 0, 1 << 20, 5);
      assertThat(big.nic.transfer(peer, handle, Role.APPLICATION, 1 << 20)).isEqualTo(Nic.DONE);
      assertThat(big.send(peer, 6, 1 << 20)).isEqualTo(Nic.DONE);
      assertThat(big.send(peer, 7, 5000)).isEqualTo(Nic.FULL);
      Station.await("both", () -> b.heard.size() == 2, big, b);
      assertThat(b.numbers()).containsExactly(5L, 6L);
      assertThat(b.heard).allMatch(one -> one.length() == 1 << 20);
      Station.await("all free", () -> pool.freeBlocks() == 32, big, b);
    }
  }

  /** The first frame of a way cannot: the receiver has not said yet that it may read. */
  @Test
  void acrossFromPrivateMemory() {
    assertThat(a.send(toB, 0, 8)).isEqualTo(Nic.DONE);
    Station.await("contact", () -> b.heard.size() == 1, b);
    MemorySegment memory = registered(100_000, 1);
    long ticket = a.nic.transmit(toB, memory, 0, 100_000);
    assertThat(ticket).isPositive();
    assertThat(a.nic.isComplete(ticket)).isFalse();
    b.poll();
    assertThat(a.nic.isComplete(ticket)).isTrue();
    assertThat(b.numbers()).containsExactly(0L, 1L);
    assertThat(b.count(NicCount.READ_ACROSS)).isEqualTo(1);
    MemorySegment shorter = registered(Station.ACROSS_MIN - 1, 2);
    assertThat(a.nic.transmit(toB, shorter, 0, Station.ACROSS_MIN - 1)).isEqualTo(Nic.DONE);
    a.nic.deregister(memory);
    assertThat(a.nic.transmit(toB, memory, 0, 100_000)).isEqualTo(Nic.DONE);
    b.heard.clear();
    b.poll();
    assertThat(b.heard).hasSize(2);
    assertThat(b.heard.get(1).number()).isEqualTo(1);
    assertThat(b.count(NicCount.READ_ACROSS)).isEqualTo(1);
  }

  @Test
  void memoryThatCannotBeReadIsCopied() {
    a.nic
        .transmitMemory()
        .set(ValueLayout.JAVA_LONG, SharedSegment.PROBE_AT, arena.allocate(8).address());
    assertThat(a.send(toB, 0, 8)).isEqualTo(Nic.DONE);
    Station.await("contact", () -> b.heard.size() == 1, b);
    MemorySegment memory = registered(100_000, 1);
    assertThat(a.nic.transmit(toB, memory, 0, 100_000)).isEqualTo(Nic.DONE);
    Station.await("the frame", () -> b.heard.size() == 2, b);
    assertThat(b.numbers()).containsExactly(0L, 1L);
    assertThat(b.count(NicCount.READ_ACROSS)).isZero();
  }

  /** Memory that goes while a ticket is open breaks a promise, and costs the way. */
  @Test
  void memoryThatWentAwayIsLostByName() {
    assertThat(a.send(toB, 0, 8)).isEqualTo(Nic.DONE);
    Station.await("contact", () -> b.heard.size() == 1, b);
    try (Mapping brief = Mapping.anonymous(1 << 20)) {
      a.nic.register(brief.segment());
      assertThat(a.nic.transmit(toB, brief.segment(), 0, 100_000)).isPositive();
      a.nic.deregister(brief.segment());
    }
    assertThat(a.send(toB, 1, 8)).isEqualTo(Nic.DONE);
    Station.await("the end", () -> b.told.size() == 2, b);
    assertThat(b.told).containsExactly("peer 0", "gone 0: its memory cannot be read across (-14)");
    assertThat(b.numbers()).containsExactly(0L, 1L);
    assertThat(b.count(NicCount.LOST_ARRIVING)).isEqualTo(1);
    Station.await("a notices", () -> a.told.size() == 1, a, b);
    assertThat(a.told).containsExactly("gone 0: it has closed the way");
  }

  @Test
  void registeredMemoryIsReadInsideItsSegmentOnly() {
    MemorySegment memory = registered(200_000, 1);
    MemorySegment part = memory.asSlice(0, 50_000);
    assertThat(a.send(toB, 0, 8)).isEqualTo(Nic.DONE);
    Station.await("contact", () -> b.heard.size() == 1, b);
    assertThatThrownBy(() -> a.nic.transmit(toB, part, 40_000, 20_000))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(a.send(toB, 2, 8)).isEqualTo(Nic.DONE);
    Station.await("goes on", () -> b.heard.size() == 2, b);
  }

  /** A mistake in a copy must not leave a frame reserved for ever. */
  @Test
  void copyThatFailsLeavesNoTrace() {
    MemorySegment memory = arena.allocate(100);
    for (int length : new int[] {50, 5000}) {
      assertThatThrownBy(() -> a.nic.transmit(toB, memory, 90, length))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
    assertThat(a.send(toB, 3, 64)).isEqualTo(Nic.DONE);
    Station.await("goes on", () -> b.heard.size() == 1, b);
    assertThat(b.numbers()).containsExactly(3L);
  }

  @Test
  void fullPoolIsRefusedAndGoesOnLater() {
    int sent = 0;
    while (a.send(toB, sent, 4 * Station.BLOCK) == Nic.DONE) {
      sent++;
    }
    assertThat(sent).isEqualTo(Station.BLOCKS / 4);
    assertThat(a.count(NicCount.REFUSED_FULL)).isEqualTo(1);
    assertThat(a.send(toB, sent, 100)).isEqualTo(Nic.DONE);
    Station.await("all", () -> b.heard.size() == Station.BLOCKS / 4 + 1, b);
    assertThat(a.send(toB, sent + 1, 4 * Station.BLOCK)).isEqualTo(Nic.DONE);
    Station.await("more", () -> b.heard.size() == Station.BLOCKS / 4 + 2, b);
    assertThat(b.numbers()).isEqualTo(LongStream.range(0, sent + 2).boxed().toList());
  }

  /**
   * Each has given all its buffers to the other, behind a frame that the other reads across and
   * needs a buffer for.
   */
  @Test
  void twoFullPoolsDoNotWaitForEachOther() {
    int toA = b.open(a);
    assertThat(a.send(toB, 0, 8)).isEqualTo(Nic.DONE);
    assertThat(b.send(toA, 0, 8)).isEqualTo(Nic.DONE);
    Station.await("contact", () -> a.heard.size() == 1 && b.heard.size() == 1, a, b);
    MemorySegment memory = registered(20_000, 1);
    b.nic.register(memory);
    assertThat(a.nic.transmit(toB, memory, 0, 20_000)).isPositive();
    assertThat(b.nic.transmit(toA, memory, 0, 20_000)).isPositive();
    for (int i = 2; i < 4; i++) {
      assertThat(a.send(toB, i, 32 * Station.BLOCK)).isEqualTo(Nic.DONE);
      assertThat(b.send(toA, i, 32 * Station.BLOCK)).isEqualTo(Nic.DONE);
    }
    Station.await("all", () -> a.heard.size() == 4 && b.heard.size() == 4, a, b);
    assertThat(a.numbers()).containsExactly(0L, 1L, 2L, 3L);
    assertThat(b.numbers()).containsExactly(0L, 1L, 2L, 3L);
  }

  // Broadcasts.

  @Test
  void shortBroadcastsAreCopiedAndLongOnesLent() {
    int toC = a.open(c);
    for (int i = 0; i < 10; i++) {
      assertThat(a.send(Nic.EVERYONE, i, i % 2 == 0 ? 40 : 3000)).isEqualTo(Nic.DONE);
    }
    assertThat(a.nic.pool().freeBlocks()).isEqualTo(Station.BLOCKS - 5);
    Station.await("all", () -> b.heard.size() == 10 && c.heard.size() == 10, b, c);
    List<Long> all = LongStream.range(0, 10).boxed().toList();
    assertThat(b.numbers()).isEqualTo(all);
    assertThat(c.numbers()).isEqualTo(all);
    assertThat(b.count(NicCount.CLAIMS_REFUSED)).isZero();
    assertThat(a.nic.address(toC)).isEqualTo(c.nic.address());
  }

  @Test
  void slowReaderHoldsTheSenderAndNobodyReadsWhatCameLater() {
    a.open(c);
    int sent = 0;
    while (a.send(Nic.EVERYONE, sent, 3000) == Nic.DONE) {
      sent++;
      b.poll();
    }
    assertThat(sent).isEqualTo(Station.BLOCKS);
    assertThat(b.heard).hasSize(sent);
    c.poll();
    assertThat(c.numbers()).isEqualTo(LongStream.range(0, sent).boxed().toList());
    assertThat(a.send(Nic.EVERYONE, sent, 3000)).isEqualTo(Nic.DONE);
    Station.await("the last", () -> c.heard.size() == 65 && b.heard.size() == 65, b, c);
  }

  @Test
  void readerThatLeavesHoldsNobody() {
    a.open(c);
    int sent = 0;
    while (a.send(Nic.EVERYONE, sent, 3000) == Nic.DONE) {
      sent++;
      b.poll();
    }
    c.close();
    int number = sent;
    Station.await("c is gone", () -> a.told.contains("gone 1: it has left"), a);
    Station.await("room", () -> a.send(Nic.EVERYONE, number, 3000) == Nic.DONE, a, b);
    Station.await("the last", () -> b.heard.size() == number + 1, b);
  }

  /** One that was closed still reads what it was sent, and no longer holds the others. */
  @Test
  void closedReaderReadsWhatItWasSent() {
    int toC = a.open(c);
    int sent = 0;
    while (sent < 60 && a.send(Nic.EVERYONE, sent, 3000) == Nic.DONE) {
      sent++;
      b.poll();
    }
    assertThat(sent).isEqualTo(60);
    a.nic.close(toC);
    for (int i = 0; i < 500; i++) {
      int number = 1000 + i;
      Station.await("room", () -> a.send(Nic.EVERYONE, number, 3000) == Nic.DONE, a, b);
    }
    assertThat(a.nic.pool().freeBlocks()).isLessThanOrEqualTo(4);
    Station.await("c hears that it was closed", () -> c.told.size() == 2, c);
    assertThat(c.numbers()).isEqualTo(LongStream.range(0, 60).boxed().toList());
    assertThat(c.told).containsExactly("peer 0", "gone 0: it has closed the way");
  }

  /** Closing a way does not end the promise about memory that the peer may still read. */
  @Test
  void ticketOfAClosedWayIsOpenUntilThePeerIsDone() {
    assertThat(a.send(toB, 0, 8)).isEqualTo(Nic.DONE);
    Station.await("contact", () -> b.heard.size() == 1, b);
    MemorySegment memory = registered(100_000, 1);
    long ticket = a.nic.transmit(toB, memory, 0, 100_000);
    a.nic.close(toB);
    assertThat(a.nic.isComplete(ticket)).isFalse();
    Station.await("b hears it", () -> b.heard.size() == 2, b);
    assertThat(a.nic.isComplete(ticket)).isTrue();
    Station.await("the number is free", () -> !a.knows(toB), a, b);
    assertThat(a.nic.isComplete(ticket)).isTrue();
    assertThat(a.open(c)).isEqualTo(toB);
    assertThat(a.send(toB, 5, 8)).isEqualTo(Nic.DONE);
    assertThat(a.nic.isComplete(ticket)).isTrue();
  }
}

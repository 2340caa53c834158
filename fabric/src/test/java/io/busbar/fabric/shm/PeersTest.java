package io.busbar.fabric.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.fabric.FabricException;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicCount;
import io.busbar.fabric.NicEvents;
import io.busbar.linux.PollSet;
import io.busbar.wire.SharedSegment;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How peers come and go, inside one process. */
@Timeout(60)
class PeersTest {
  /** What is said to all with so many bytes stays the sender's. */
  private static final int LENT = 3000;

  private final Folder folder = new Folder();
  private final Station a = new Station(folder);
  private final Station b = new Station(folder);
  private final Station c = new Station(folder);

  @AfterEach
  void close() {
    try (folder;
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
  }

  /** Both know each other, and have a ring each way. */
  private int contact(Station one, Station other) {
    int peer = one.open(other);
    int back = other.open(one);
    int before = other.heard.size();
    assertThat(one.send(peer, 0, 8)).isEqualTo(Nic.DONE);
    assertThat(other.send(back, 0, 8)).isEqualTo(Nic.DONE);
    Station.await("contact", () -> other.heard.size() > before, one, other);
    one.poll();
    one.heard.clear();
    other.heard.clear();
    return peer;
  }

  @Test
  void peerThatAnnouncesItselfHasANumber() {
    a.send(a.open(b), 1, 8);
    Station.await("the frame", () -> b.heard.size() == 1, b);
    assertThat(b.told).containsExactly("peer 0");
    assertThat(b.nic.address(0)).isEqualTo(a.nic.address());
    assertThat(b.open(a)).isZero();
  }

  @Test
  void peerThatWeOpenedIsNoNews() {
    int peer = b.open(a);
    a.send(a.open(b), 1, 8);
    Station.await("the frame", () -> b.heard.size() == 1, b);
    assertThat(b.heard.getFirst().peer()).isEqualTo(peer);
    assertThat(b.told).isEmpty();
  }

  @Test
  void leavingIsToldAfterTheLastFrame() {
    int toB = contact(a, b);
    for (int i = 0; i < 30; i++) {
      assertThat(a.send(toB, i, i % 2 == 0 ? 20 : 3000)).isEqualTo(Nic.DONE);
    }
    a.close();
    Station.await("the end", () -> !b.told.isEmpty(), b);
    assertThat(b.numbers()).isEqualTo(LongStream.range(0, 30).boxed().toList());
    assertThat(b.told).containsExactly("gone 0: it has left");
    assertThat(b.send(0, 1, 8)).isEqualTo(Nic.GONE);
    assertThat(folder.names()).hasSize(4);
  }

  @Test
  void numberRestsUntilTheOtherSideHasClosed() {
    int toB = contact(a, b);
    a.send(toB, 1, 5000);
    a.nic.close(toB);
    for (int i = 0; i < 3000; i++) {
      a.poll();
    }
    assertThat(a.send(toB, 2, 8)).isEqualTo(Nic.GONE);
    assertThat(a.open(c)).isNotEqualTo(toB);
    assertThat(a.restsWithAllBlocksFree()).isFalse();
    Station.await("b is told", () -> b.told.contains("gone 0: it has closed the way"), b);
    assertThat(b.numbers()).containsExactly(1L);
    Station.await("the number is free", () -> !a.knows(toB), a);
    assertThat(a.restsWithAllBlocksFree()).isTrue();
    assertThat(a.told).isEmpty();
  }

  @Test
  void bothCloseAtOnce() {
    for (int round = 0; round < 20; round++) {
      int toB = contact(a, b);
      int toA = b.open(a);
      a.send(toB, 1, 5000);
      b.send(toA, 1, 5000);
      a.nic.close(toB);
      b.nic.close(toA);
      Station.await("both are free", () -> !a.knows(toB) && !b.knows(toA), a, b);
    }
    assertThat(a.told).isEmpty();
    assertThat(b.told).isEmpty();
    assertThat(a.heard).isEmpty();
  }

  /** Whose turn it is must not be somebody who has left. */
  @Test
  void severalLeaveAtOnce() {
    for (int polls = 0; polls < 3; polls++) {
      int toB = a.open(b);
      int toC = a.open(c);
      try (Station d = new Station(folder)) {
        int fromD = d.open(a);
        a.open(d);
        for (int i = 0; i <= polls; i++) {
          a.poll();
        }
        a.nic.close(toB);
        a.nic.close(toC);
        assertThat(d.send(fromD, 1, 8)).isEqualTo(Nic.DONE);
        assertThat(a.poll()).isEqualTo(1);
      }
      Station.await("d is gone", () -> !a.told.isEmpty(), a);
      a.told.clear();
    }
  }

  @Test
  void wayThatIsOpenedAgainIsAnother() {
    int toB = contact(a, b);
    a.send(toB, 1, 8);
    a.nic.close(toB);
    int again = a.open(b);
    assertThat(again).isNotEqualTo(toB);
    a.send(again, 2, 8);
    Station.await("both frames", () -> b.heard.size() == 2, b);
    assertThat(b.numbers()).containsExactlyInAnyOrder(1L, 2L);
    Station.await("the old one ends", () -> b.told.size() == 2, b);
    assertThat(b.told).containsExactly("peer 1", "gone 0: it has closed the way");
    int back = b.open(a);
    b.send(back, 3, 8);
    Station.await("the answer", () -> a.heard.size() == 1, a);
    assertThat(a.heard.getFirst().peer()).isEqualTo(again);
  }

  /** Mail has no order, so the second announcement waits until the first was read. */
  @Test
  void secondAnnouncementWaitsForTheFirst() {
    int toB = a.open(b);
    assertThat(a.send(toB, 1, 8)).isEqualTo(Nic.DONE);
    a.nic.close(toB);
    int again = a.open(b);
    assertThat(a.send(again, 2, 8)).isEqualTo(Nic.FULL);
    b.poll();
    assertThat(a.send(again, 2, 8)).isEqualTo(Nic.DONE);
    Station.await("both", () -> b.heard.size() == 2, b);
    assertThat(b.numbers()).containsExactly(1L, 2L);
  }

  /** Where tokens are given, the next life of a peer has the same one. */
  @Test
  void nextLifeWithTheSameTokenIsAnother() {
    ShmConfig named = Station.config(folder).named(44);
    int before;
    try (Station first = new Station(named)) {
      before = a.open(first);
      assertThat(a.send(before, 1, 8)).isEqualTo(Nic.DONE);
      first.poll();
    }
    try (Station second = new Station(named)) {
      int now = a.open(second);
      assertThat(now).isNotEqualTo(before);
      assertThat(a.send(now, 2, 8)).isEqualTo(Nic.DONE);
      Station.await("the frame", () -> second.heard.size() == 1, second, a);
    }
    Station.await("both ends are told", () -> a.told.size() == 2, a);
    int opened = -1;
    try (Station third = new Station(named)) {
      opened = a.open(third);
    }
    try (Station fourth = new Station(named)) {
      assertThat(fourth.send(fourth.open(a), 9, 8)).isEqualTo(Nic.DONE);
      Station.await("its frame", () -> a.heard.size() == 1, a);
      assertThat(a.heard.getFirst().peer()).isNotEqualTo(opened);
    }
  }

  @Test
  void senderIsToldOfAClosedWayBeforeItsRingIsFullForEver() {
    int toB = contact(a, b);
    b.nic.close(b.open(a));
    long result = Nic.DONE;
    for (int i = 0; i < 65 && result == Nic.DONE; i++) {
      result = a.send(toB, i, 8);
    }
    assertThat(result).isEqualTo(Nic.GONE);
  }

  @Test
  void fullMailboxIsFullOnly() {
    MemorySegment mailbox = b.nic.transmitMemory().asSlice(SharedSegment.MAILBOX);
    for (int i = 0; i < SharedSegment.MAIL_SLOTS; i++) {
      long at = (long) i * SharedSegment.MAIL_BYTES;
      mailbox.set(ValueLayout.JAVA_LONG, at, c.nic.address().token());
    }
    int toB = a.open(b);
    assertThat(a.send(toB, 1, 8)).isEqualTo(Nic.FULL);
    b.poll();
    assertThat(a.send(toB, 1, 8)).isEqualTo(Nic.FULL);
    c.close();
    assertThat(a.send(toB, 1, 8)).isEqualTo(Nic.FULL);
    b.poll();
    assertThat(a.send(toB, 1, 8)).isEqualTo(Nic.DONE);
    Station.await("the frame", () -> b.heard.size() == 1, b);
  }

  // Frames that the user keeps.

  @Test
  void keptFramesOutliveTheWay() {
    int toB = contact(a, b);
    b.claiming = true;
    for (int i = 0; i < 5; i++) {
      a.send(toB, i, 5000);
    }
    Station.await("the frames", () -> b.heard.size() == 5, b);
    a.nic.close(toB);
    Station.await("b is told", () -> b.told.size() == 1, a, b);
    for (int i = 0; i < 2000; i++) {
      a.poll();
    }
    assertThat(a.nic.pool().freeBlocks()).isEqualTo(Station.BLOCKS - 10);
    assertThat(a.knows(toB)).isTrue();
    b.heard.forEach(one -> b.nic.release(one.frame()));
    Station.await("the number is free", () -> !a.knows(toB), a);
  }

  @Test
  void keptFramesOutliveTheirOwner() {
    int toB = contact(a, b);
    b.claiming = true;
    List<MemorySegment> kept = new ArrayList<>();
    a.send(toB, 9, 5000);
    Station.await(
        "the frame",
        () ->
            b.nic.poll(
                    (peer, memory, offset, length, frame) -> {
                      b.onFrame(peer, memory, offset, length, frame);
                      kept.add(memory.asSlice(offset, length));
                    },
                    10)
                > 0);
    a.close();
    Station.await("b is told", () -> b.told.size() == 1, b);
    assertThat(Letter.read(kept.getFirst(), 0, 5000)).isEqualTo(9);
    PollSet set = new PollSet(16);
    b.nic.listen(set);
    assertThat(set.await(0)).as("the dead one does not keep a sleeper awake").isZero();
    b.nic.release(b.heard.getFirst().frame());
    assertThat(b.knows(0)).isFalse();
    assertThatThrownBy(() -> Letter.read(kept.getFirst(), 0, 5000))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void closingWithKeptFramesGivesThemBack() {
    int toB = contact(a, b);
    b.claiming = true;
    for (int i = 0; i < 5; i++) {
      a.send(toB, i, 5000);
    }
    Station.await("the frames", () -> b.heard.size() == 5, b);
    b.close();
    Station.await("a is told", () -> a.told.size() == 1, a);
    assertThat(a.restsWithAllBlocksFree()).isTrue();
    assertThat(a.count(NicCount.RECLAIMED)).isEqualTo(5);
    b.nic.release(b.heard.getFirst().frame());
  }

  /** One that was expelled may be innocent: what our user keeps of it stays as it is. */
  @Test
  void keptFramesOutliveAnExpulsion() {
    int toB = contact(a, b);
    b.claiming = true;
    a.send(toB, 1, 5000);
    Station.await("the frame", () -> b.heard.size() == 1, b);
    a.nic.transmitMemory().fill((byte) 0xEE);
    a.nic.transmitMemory().set(ValueLayout.JAVA_LONG, SharedSegment.STATE_AT, SharedSegment.READY);
    Station.await("b is told", () -> !b.told.isEmpty(), b);
    assertThat(b.told.getFirst()).startsWith("gone 0: its ring holds what is no frame");
    for (int i = 0; i < 2000; i++) {
      b.poll();
    }
    b.nic.release(b.heard.getFirst().frame());
    assertThat(b.knows(0)).isTrue();
    a.close();
    Station.await("the number is free", () -> !b.knows(0), b);
  }

  /** While a zone is busy a free waits; the peer may have nothing else to send with. */
  @Test
  void freesThatWaitAreMadeUpFor() {
    int toB = contact(a, b);
    a.send(toB, 1, 5000);
    long busy = SharedSegment.POOL + 33 * 8L;
    a.nic.transmitMemory().set(ValueLayout.JAVA_LONG, busy, 1);
    Station.await("the frame", () -> b.heard.size() == 1, b);
    a.nic.transmitMemory().set(ValueLayout.JAVA_LONG, busy, 0);
    Station.await("b frees it", a::restsWithAllBlocksFree, b);
  }

  // Odd moments.

  @Test
  void exceptionOfTheReceiverCostsOneFrame() {
    int toB = contact(a, b);
    for (int i = 0; i < 6; i++) {
      a.send(toB, i, i % 2 == 0 ? 100 : 5000);
    }
    List<Long> seen = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      assertThatThrownBy(
              () ->
                  b.nic.poll(
                      (peer, memory, offset, length, frame) -> {
                        seen.add(Letter.read(memory, offset, length));
                        throw new UnsupportedOperationException("clumsy");
                      },
                      10))
          .hasMessage("clumsy");
    }
    assertThat(seen).containsExactly(0L, 1L, 2L, 3L, 4L, 5L);
    assertThat(b.poll()).isZero();
    assertThat(a.restsWithAllBlocksFree()).isTrue();
  }

  @Test
  void framesOfOneWhoGoesHaveAnAddress() {
    int toB = contact(a, b);
    NicAddressOf addresses = new NicAddressOf();
    a.send(toB, 1, 8);
    a.send(toB, 2, 8);
    a.close();
    b.nic.arm();
    b.nic.disarm();
    Station.await(
        "the frames",
        () -> {
          b.nic.poll(
              (peer, memory, offset, length, frame) -> {
                addresses.found.add(b.nic.address(peer).text());
                addresses.found.add(b.nic.source().text());
              },
              1);
          return addresses.found.size() == 4;
        });
    assertThat(addresses.found).containsOnly(a.nic.address().text());
  }

  private static final class NicAddressOf {
    final List<String> found = new ArrayList<>();
  }

  @Test
  void oneWhoGoesCanBeClosed() {
    int toB = contact(a, b);
    int toA = b.open(a);
    a.send(toB, 1, 8);
    a.send(toB, 2, 8);
    a.close();
    assertThat(b.nic.arm()).isFalse(); // b has noticed
    assertThat(b.nic.poll(b, 1)).isEqualTo(1);
    b.nic.close(toA);
    assertThat(b.poll()).isZero();
    assertThat(b.told).isEmpty();
    assertThat(b.knows(toA)).isFalse();
    contact(c, b);
    c.close();
    Station.await("the next is noticed", () -> b.told.size() == 1, b);
  }

  /** What an event may do, and what it may not. */
  @Test
  void eventsMayOpenSendAndCloseAWayButNotPoll() {
    List<String> found = new ArrayList<>();
    Nic[] self = new Nic[1];
    NicEvents events =
        new NicEvents() {
          @Override
          public void onPeerGone(int peer, String why) {
            Nic nic = self[0];
            found.add(nic.address(peer).text());
            found.add(nic.transmit(peer, MemorySegment.ofArray(new byte[8]), 0, 8) + "");
            found.add(nic.open(c.nic.address()) + "");
            nic.close(peer); // it is gone already
            for (Runnable forbidden :
                List.<Runnable>of(
                    () -> nic.poll((from, memory, offset, length, frame) -> {}, 1),
                    nic::arm,
                    nic::close)) {
              assertThatThrownBy(forbidden::run).hasMessageContaining("an event");
            }
            throw new UnsupportedOperationException("clumsy");
          }
        };
    try (ShmNic nic = new ShmNic(Station.config(folder), events)) {
      self[0] = nic;
      a.send(a.nic.open(nic.address()), 1, 8);
      int[] frames = new int[1];
      nic.poll((from, memory, offset, length, frame) -> frames[0]++, 10);
      assertThat(frames[0]).isEqualTo(1);
      a.close();
      assertThat(nic.arm()).isFalse();
      assertThatThrownBy(() -> nic.poll((from, memory, offset, length, frame) -> {}, 1))
          .hasMessage("clumsy");
      assertThat(found).containsExactly(a.nic.address().text(), Nic.GONE + "", "1");
      assertThatThrownBy(() -> nic.address(0)).hasMessage("peer 0 is gone");
      assertThat(nic.arm()).isTrue();
      nic.disarm();
    }
  }

  /** What lies in it stays as it is until its receiver returns; nothing comes behind it. */
  @Test
  void whoSentAFrameCanBeClosedWhileItIsDelivered() {
    for (int length : new int[] {20, 5000, LENT}) {
      for (boolean keeps : new boolean[] {false, true}) {
        int toB = contact(a, b);
        int toA = b.open(a);
        b.claiming = true;
        assertThat(a.send(toB, 1, 3000)).isEqualTo(Nic.DONE);
        Station.await("a frame that is kept", () -> b.heard.size() == 1, b);
        long kept = b.heard.getFirst().frame();
        for (int i = 2; i < 5; i++) {
          assertThat(a.send(length == LENT ? Nic.EVERYONE : toB, i, length)).isEqualTo(Nic.DONE);
        }
        long[] claims = {Nic.UNCLAIMABLE};
        int frames =
            b.nic.poll(
                (peer, memory, offset, bytes, frame) -> {
                  b.nic.close(toA);
                  b.nic.release(kept); // the last one of a peer that is closed
                  claims[0] = keeps && b.nic.claim(frame) ? frame : Nic.UNCLAIMABLE;
                  a.poll();
                  assertThat(b.send(toA, 9, 8)).isEqualTo(Nic.GONE);
                  assertThat(Letter.read(memory, offset, bytes)).isEqualTo(2);
                  assertThat(b.nic.source().text()).isEqualTo(a.nic.address().text());
                },
                10);
        assertThat(frames).isEqualTo(1);
        assertThat(b.poll()).isZero();
        if (claims[0] != Nic.UNCLAIMABLE) {
          assertThat(b.knows(toA)).isTrue();
          b.nic.release(claims[0]);
        }
        Station.await("both are free", () -> !a.knows(toB) && !b.knows(toA), a, b);
        assertThat(a.told.removeFirst()).endsWith("it has closed the way");
        assertThat(a.told).isEmpty();
        assertThat(b.told).isEmpty();
        Station.await("all blocks are free", a::restsWithAllBlocksFree, a);
        b.heard.clear();
        b.claiming = false;
      }
    }
  }

  @Test
  void whoIsClosedWhileAFrameIsDeliveredCanBeOpenedThere() {
    int toB = contact(a, b);
    int toA = b.open(a);
    assertThat(a.send(toB, 1, 5000)).isEqualTo(Nic.DONE);
    int[] again = new int[1];
    int frames =
        b.nic.poll(
            (peer, memory, offset, bytes, frame) -> {
              b.nic.close(toA);
              again[0] = b.open(a);
              assertThat(b.send(again[0], 7, 5000)).isEqualTo(Nic.DONE);
              assertThat(Letter.read(memory, offset, bytes)).isEqualTo(1);
            },
            10);
    assertThat(frames).isEqualTo(1);
    assertThat(again[0]).isNotEqualTo(toA);
    b.nic.flush();
    Station.await("the frame", () -> a.numbers().equals(List.of(7L)), a, b);
    Station.await("the former way is free", () -> !b.knows(toA), a, b);
  }

  /** Who is told of one that went closes others: who is open, and who has gone as well. */
  @Test
  void eventsMayCloseOthers() {
    List<String> told = new ArrayList<>();
    Nic[] self = new Nic[1];
    NicEvents events =
        new NicEvents() {
          @Override
          public void onPeerGone(int peer, String why) {
            told.add("gone " + peer);
            for (int other = 0; other < 3; other++) {
              self[0].close(other);
            }
          }
        };
    try (ShmNic nic = new ShmNic(Station.config(folder), events)) {
      self[0] = nic;
      for (Station one : List.of(a, b, c)) {
        int number = nic.open(one.nic.address());
        assertThat(one.send(one.nic.open(nic.address()), number, 8)).isEqualTo(Nic.DONE);
      }
      int[] frames = new int[1];
      for (int i = 0; i < 10; i++) {
        int _ = nic.poll((from, memory, offset, length, frame) -> frames[0]++, 10);
      }
      assertThat(frames[0]).isEqualTo(3);
      a.close();
      b.close();
      assertThat(nic.arm()).isFalse(); // it has noticed both
      int _ = nic.poll((from, memory, offset, length, frame) -> frames[0]++, 10);
      assertThat(told).containsExactly("gone 0");
      int _ = nic.poll((from, memory, offset, length, frame) -> frames[0]++, 10);
      assertThat(told).containsExactly("gone 0");
      Station.await("c is told", () -> c.told.size() == 1, c);
      assertThat(c.told).containsExactly("gone 0: it has closed the way");
    }
  }

  /** A way that was closed while we were awake is noticed before we sleep. */
  @Test
  void nobodySleepsOverAClosedWay() {
    int toB = contact(a, b);
    assertThat(b.nic.arm()).isTrue();
    b.nic.disarm();
    a.nic.close(toB);
    assertThat(b.nic.arm()).isFalse();
    b.poll();
    assertThat(b.told).containsExactly("gone 0: it has closed the way");
  }

  @Test
  void sleeperHearsOfADeathInLimbo() {
    int toB = contact(a, b);
    a.send(toB, 1, 5000);
    a.nic.close(toB);
    PollSet set = new PollSet(16);
    a.nic.listen(set);
    assertThat(set.await(0)).isZero();
    b.close();
    assertThat(set.await(1_000_000_000)).isPositive();
    set.clear();
    a.nic.listen(set); // before it sleeps again
    assertThat(a.knows(toB)).isFalse();
    assertThat(set.await(0)).as("nothing of it wakes us any more").isZero();
  }

  @Test
  void openersAreToldWhatIsWrong() {
    ShmAddress own = a.nic.address();
    assertThatThrownBy(() -> a.nic.open(own))
        .isInstanceOf(FabricException.class)
        .hasMessageContaining("is this interface itself");
    assertThatThrownBy(() -> a.nic.open(() -> "udp:1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("udp:1 is no address in shared memory");
    b.close();
    assertThatThrownBy(() -> a.nic.open(b.nic.address()))
        .isInstanceOf(FabricException.class)
        .hasMessageContaining("there is no such segment: it has left");
    assertThatThrownBy(() -> a.nic.address(0)).hasMessage("peer 0 is gone");
    assertThatThrownBy(() -> a.nic.address(-1)).hasMessageContaining("open it first");
    assertThatThrownBy(() -> a.nic.close(254)).hasMessageContaining("open it first");
  }

  @Tag("long")
  @Test
  void noMoreThan254Peers() {
    List<Station> others = new ArrayList<>();
    try {
      for (int i = 0; i < SharedSegment.PEERS_MAX; i++) {
        Station other = new Station(folder);
        others.add(other);
        assertThat(a.open(other)).isEqualTo(i);
      }
      assertThatThrownBy(() -> a.open(b))
          .isInstanceOf(FabricException.class)
          .hasMessageContaining("has 254 peers already");
      assertThat(b.send(b.open(a), 1, 8)).isEqualTo(Nic.DONE);
      a.poll();
      assertThat(a.count(NicCount.DROPPED_FOREIGN)).isEqualTo(1);
      assertThat(a.told).hasSize(1);
      assertThat(a.told.getFirst()).contains("has 254 peers already");
      assertThat(a.send(Nic.EVERYONE, 5, 3000)).isEqualTo(Nic.DONE);
      others.forEach(Station::poll);
      assertThat(others).allMatch(other -> other.numbers().equals(List.of(5L)));
    } finally {
      others.forEach(Station::close);
    }
  }

  private static long descriptors() throws Exception {
    try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
      return files.count();
    }
  }

  private long mappings() throws Exception {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
      return lines.filter(line -> line.contains(folder.path.toString())).count();
    }
  }

  @Test
  void nothingLeaks() throws Exception {
    long mappings = mappings();
    long before = descriptors();
    for (int round = 0; round < 200; round++) {
      Station other = new Station(folder);
      try (Station one = new Station(folder)) {
        int peer = contact(one, other);
        one.claiming = round % 3 == 0;
        other.send(other.open(one), 1, 5000);
        one.poll();
        switch (round % 5) {
          case 0 -> one.nic.close(peer);
          case 1 -> other.close();
          case 2 -> {
            one.nic.close(peer);
            one.open(other);
          }
          case 3 ->
              assertThatThrownBy(
                      () -> one.nic.open(new ShmAddress(one.nic.address().host(), 12345)))
                  .isInstanceOf(FabricException.class);
          default -> one.poll();
        }
      } finally {
        other.close();
      }
    }
    assertThat(mappings()).isEqualTo(mappings);
    assertThat(descriptors()).isLessThanOrEqualTo(before + 2); // what the JVM opens meanwhile
    assertThat(folder.names()).hasSize(6);
  }
}

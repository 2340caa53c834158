package io.busbar.fabric.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.fabric.Nic;
import io.busbar.fabric.NicCount;
import io.busbar.linux.PollSet;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who was refused for want of room, and sleeps, is woken when there is some. */
@Timeout(120)
class RoomTest {
  private static final long SECOND_NS = 1_000_000_000L;

  private final Folder folder = new Folder();
  private final Station a = new Station(folder);
  private final Station b = new Station(folder);
  private final int toB = a.open(b);
  private final PollSet set = new PollSet(4);

  RoomTest() {
    assertThat(a.send(toB, 0, 40)).isEqualTo(Nic.DONE);
    Station.await("contact", () -> b.heard.size() == 1, b);
    b.heard.clear();
    a.nic.listen(set);
  }

  @AfterEach
  void close() {
    a.close();
    b.close();
    folder.close();
  }

  private int fill(int peer, int length) {
    int sent = 0;
    while (a.send(peer, sent, length) == Nic.DONE) {
      a.nic.flush();
      sent++;
    }
    return sent;
  }

  /** Goes to sleep after a refusal: the first time it is told to look again. */
  private void sleepAfterRefusal(int peer, int length) {
    assertThat(a.nic.arm()).isFalse();
    assertThat(a.send(peer, 0, length)).isEqualTo(Nic.FULL);
    assertThat(a.nic.arm()).isTrue();
    assertThat(set.await(0)).isZero();
  }

  private void wakes() {
    assertThat(set.await(SECOND_NS)).as("woken").isEqualTo(1);
    a.nic.disarm();
  }

  @Test
  void roomInTheRing() {
    assertThat(fill(toB, 40)).isGreaterThan(10);
    sleepAfterRefusal(toB, 40);
    Station.await("all", () -> a.send(toB, 0, 40) == Nic.DONE, b);
    wakes();
    assertThat(b.count(NicCount.BELLS)).isEqualTo(1);
  }

  @Test
  void roomForTheLongestFrameInTheRing() {
    int length = Station.INLINE_MAX;
    assertThat(fill(toB, length)).isGreaterThan(2);
    sleepAfterRefusal(toB, length);
    while (b.poll() > 0) {
      // until all is taken
    }
    wakes();
    assertThat(a.send(toB, 0, length)).isEqualTo(Nic.DONE);
  }

  @Test
  void buffersThatAreFreed() {
    assertThat(fill(toB, 5000)).isGreaterThan(2);
    sleepAfterRefusal(toB, 5000);
    b.poll();
    wakes();
    assertThat(a.send(toB, 0, 5000)).isEqualTo(Nic.DONE);
  }

  @Test
  void buffersThatWereKeptAndAreGivenBack() {
    b.claiming = true;
    assertThat(fill(toB, 5000)).isGreaterThan(2);
    while (b.poll() > 0) {
      // keeps all
    }
    int more = fill(toB, 5000);
    assertThat(more).isLessThan(Station.BLOCKS);
    sleepAfterRefusal(toB, 5000);
    for (Station.Heard one : b.heard) {
      if (one.frame() != Nic.UNCLAIMABLE) {
        b.nic.release(one.frame());
      }
    }
    wakes();
    assertThat(a.send(toB, 0, 5000)).isEqualTo(Nic.DONE);
  }

  /** Half of the pool, a quarter, and so on: there is always a buffer for the next one. */
  @Test
  void whoTakesNothingLeavesRoomForOthers() {
    List<Station> sleepers = new ArrayList<>();
    try {
      for (int i = 0; i < 4; i++) {
        Station next = new Station(folder);
        sleepers.add(next);
        int number = a.open(next);
        int sent = fill(number, 5000);
        assertThat(sent).as("buffers of sleeper %d", i).isPositive();
      }
      assertThat(a.send(toB, 0, 5000)).isEqualTo(Nic.DONE);
    } finally {
      sleepers.forEach(Station::close);
    }
  }

  /** One that keeps what came leaves its sender the rest: it is asked to copy. */
  @Test
  void whoKeepsAllIsAskedToCopy() {
    b.claiming = true;
    for (int i = 0; i < Station.BLOCKS; i++) {
      int number = i;
      Station.await("room", () -> a.send(toB, number, 5000) == Nic.DONE, b);
      Station.await("frame", () -> b.heard.size() > number, b);
    }
    long kept = b.heard.stream().filter(one -> one.frame() != Nic.UNCLAIMABLE).count();
    assertThat(kept).as("64 KB, two blocks each").isEqualTo(8);
    for (Station.Heard one : b.heard) {
      if (one.frame() != Nic.UNCLAIMABLE) {
        b.nic.release(one.frame());
      }
    }
    assertThat(a.restsWithAllBlocksFree()).isTrue();
  }

  @Test
  void broadcastsThatAreRead() {
    assertThat(fill(Nic.EVERYONE, 3000)).isGreaterThan(2);
    sleepAfterRefusal(Nic.EVERYONE, 3000);
    b.poll();
    wakes();
    assertThat(a.send(Nic.EVERYONE, 0, 3000)).isEqualTo(Nic.DONE);
  }

  @Test
  void memoryThatWasReadAcross() {
    MemorySegment memory = Arena.ofAuto().allocate(100_000);
    Letter.write(memory, 0, 100_000, 7);
    a.nic.register(memory);
    long ticket = a.nic.transmit(toB, memory, 0, 100_000);
    assertThat(ticket).isPositive();
    assertThat(a.nic.isComplete(ticket)).isFalse();
    assertThat(a.nic.arm()).isFalse();
    assertThat(a.nic.isComplete(ticket)).isFalse();
    assertThat(a.nic.arm()).isTrue();
    b.poll();
    wakes();
    assertThat(a.nic.isComplete(ticket)).isTrue();
  }

  /** A sleeper that waits for frames alone is left alone by those who take its frames. */
  @Test
  void whoWaitsForNoRoomIsNotWoken() {
    assertThat(fill(toB, 40)).isGreaterThan(10);
    assertThat(a.nic.arm()).isFalse();
    assertThat(a.nic.arm()).isTrue();
    while (b.poll() > 0) {
      // until all is taken
    }
    assertThat(set.await(0)).isZero();
    assertThat(b.count(NicCount.BELLS)).isZero();
    a.nic.disarm();
  }

  /** Forbidden: a sleep that does not end although there is room. */
  @Test
  void noWakeUpIsLost() throws Exception {
    int frames = 40_000;
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      Future<Integer> sender = threads.submit(() -> flood(frames));
      SplittableRandom random = new SplittableRandom(4);
      Patience patience = new Patience();
      while (b.heard.size() < frames && !sender.isDone()) {
        for (int i = random.nextInt(2000); i > 0; i--) {
          Thread.onSpinWait();
        }
        if (b.nic.poll(b, 1 + random.nextInt(100)) == 0) {
          patience.pause();
        }
      }
      int sleeps = sender.get();
      while (b.nic.poll(b, 100) > 0) {
        // the rest
      }
      assertThat(b.heard).hasSize(frames);
      assertThat(sleeps).isGreaterThan(50);
    }
  }

  private int flood(int frames) {
    SplittableRandom random = new SplittableRandom(5);
    int sleeps = 0;
    for (int sent = 0; sent < frames; ) {
      int length = random.nextInt(10) == 0 ? 3000 : 40 + random.nextInt(Station.INLINE_MAX - 40);
      while (a.send(toB, sent, length) != Nic.DONE) {
        a.nic.flush();
        if (a.nic.arm()) {
          sleeps++;
          if (set.await(5 * SECOND_NS) == 0) {
            throw new AssertionError("nobody woke a sender for whom there is room");
          }
          a.nic.disarm();
        }
      }
      a.nic.flush();
      sent++;
    }
    return sleeps;
  }
}

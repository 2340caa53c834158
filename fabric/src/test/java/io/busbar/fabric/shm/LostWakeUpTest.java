package io.busbar.fabric.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.fabric.NicCount;
import io.busbar.linux.PollSet;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two litmus tests. In the first one sends at the moment in which the other says that it is about
 * to sleep; forbidden: it may sleep, and is not rung. In the second one frame goes to and fro
 * between two threads that really sleep; forbidden: a sleep that does not end.
 */
@Timeout(180)
class LostWakeUpTest {
  /** Longer than any turn of a scheduler. */
  private static final long WATCHDOG_NS = 5_000_000_000L;

  private final Folder folder = new Folder();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicBoolean lost = new AtomicBoolean();

  @AfterEach
  void close() {
    threads.close();
    folder.close();
  }

  private final class Player {
    final Station station = new Station(folder);
    private final PollSet set = new PollSet(4);
    private final SplittableRandom random;
    private int peer;
    private int sleeps;

    Player(int seed) {
      random = new SplittableRandom(seed);
    }

    void meet(Player other) {
      peer = station.open(other.station);
      station.nic.listen(set);
    }

    int play(int rounds, boolean serves) {
      if (serves) {
        write();
        publish();
      }
      for (int i = 0; i < rounds && !lost.get(); i++) {
        receive();
        pause(300);
        write();
        publish();
      }
      return sleeps;
    }

    private void pause(int most) {
      for (int i = random.nextInt(most); i > 0; i--) {
        Thread.onSpinWait();
      }
    }

    private void write() {
      long at = station.nic.reserve(peer, Letter.BYTES_MIN);
      if (at < 0) {
        throw new AssertionError("a ring of 64 is full with one frame");
      }
      Letter.write(station.nic.transmitMemory(), at, Letter.BYTES_MIN, 1);
    }

    private void publish() {
      station.nic.commit(Letter.BYTES_MIN);
      station.nic.flush();
    }

    private void receive() {
      for (int looks = random.nextInt(60); looks > 0; looks--) {
        if (station.nic.poll(station, 1) > 0) {
          return;
        }
      }
      while (station.nic.poll(station, 1) == 0 && !lost.get()) {
        if (station.nic.arm()) {
          sleeps++;
          if (set.await(WATCHDOG_NS) == 0 && station.nic.poll(station, 1) > 0) {
            lost.set(true);
          }
          station.nic.disarm();
        }
      }
    }
  }

  /** Where two threads meet before and after each round. */
  private static final class Meeting {
    private final AtomicLong one = new AtomicLong();
    private final AtomicLong other = new AtomicLong();

    void meet(boolean first) {
      AtomicLong mine = first ? one : other;
      AtomicLong theirs = first ? other : one;
      long round = mine.incrementAndGet();
      Patience patience = new Patience(); // there may be fewer processors than threads
      while (theirs.get() < round) {
        patience.pause();
      }
    }
  }

  private void cross(int rounds) throws Exception {
    Player sleeper = new Player(1);
    Player sender = new Player(2);
    sleeper.meet(sender);
    sender.meet(sleeper);
    Meeting meeting = new Meeting();
    AtomicLong bells = new AtomicLong();
    Future<?> sending =
        threads.submit(
            () -> {
              for (int i = 0; i < rounds; i++) {
                sender.write();
                meeting.meet(true);
                sender.pause(12);
                sender.publish();
                bells.setPlain(sender.station.count(NicCount.BELLS));
                meeting.meet(true);
              }
            });
    long rung = 0;
    int slept = 0;
    int woken = 0;
    int lag = 12; // so much that either comes first as often
    for (int i = 0; i < rounds; i++) {
      meeting.meet(false);
      sleeper.pause(lag);
      boolean asleep = sleeper.station.nic.arm();
      meeting.meet(false);
      boolean ring = bells.getPlain() > rung;
      rung = bells.getPlain();
      slept += asleep ? 1 : 0;
      lag = Math.clamp(lag + (asleep ? 1 : -1), 1, 1000);
      woken += asleep && ring ? 1 : 0;
      if (asleep) {
        sleeper.station.nic.disarm();
      }
      if (sleeper.station.nic.poll(sleeper.station, 1) == 0) {
        throw new AssertionError("the frame did not come");
      }
      sleeper.station.heard.clear();
    }
    sending.get();
    sleeper.station.close();
    sender.station.close();
    assertThat(slept - woken).as("sleeps over a frame, of %d", slept).isZero();
    assertThat(slept).isPositive();
  }

  @Test
  void nobodySleepsOverAFrame() throws Exception {
    cross(25_000);
  }

  @Tag("long")
  @Test
  void nobodySleepsOverAFrameForLong() throws Exception {
    cross(3_000_000);
  }

  private void play(int rounds) throws Exception {
    Player one = new Player(1);
    Player other = new Player(2);
    one.meet(other);
    other.meet(one);
    Future<Integer> first = threads.submit(() -> one.play(rounds, true));
    Future<Integer> second = threads.submit(() -> other.play(rounds, false));
    int sleeps = first.get() + second.get();
    one.station.close();
    other.station.close();
    assertThat(lost).as("a wake-up was lost").isFalse();
    assertThat(sleeps).isGreaterThan(rounds / 20);
  }

  @Test
  void everySleeperIsWoken() throws Exception {
    play(10_000);
  }

  @Tag("long")
  @Test
  void everySleeperIsWokenForLong() throws Exception {
    play(1_000_000);
  }
}

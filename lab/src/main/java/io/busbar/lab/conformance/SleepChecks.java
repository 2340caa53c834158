package io.busbar.lab.conformance;

import io.busbar.fabric.Nic;
import io.busbar.fabric.NicCapability;
import io.busbar.lab.Violation;
import io.busbar.linux.PollSet;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;

/** Sleeping, and being woken. */
final class SleepChecks {
  private static final int BYTES = 64;
  private static final int DESCRIPTORS = 64;
  private static final long SECOND_NS = 1_000_000_000L;
  private static final long WATCHDOG_NS = 3 * SECOND_NS;
  private static final long INSTANT_NS = 1_000_000;
  private static final int ROUNDS = 100;
  private static final int PING_PONGS = 5000;

  /** So often a bell may still ring that was rung before. */
  private static final int STALE_RINGS_MAX = 4;

  private SleepChecks() {}

  static void sleep(Trial t) {
    Station[] stations = t.connected(2);
    Station from = stations[0];
    Station to = stations[1];
    t.exchange(from, to, BYTES);
    t.exchange(to, from, BYTES);
    pendingKeepsAwake(t, from, to);
    if (!to.can(NicCapability.SLEEP)) {
      t.require(!isListening(to), "sleep is not announced, and there is something to sleep on");
      return;
    }
    wakes(t, from, to);
    pingPong(t, from, to);
    t.exchange(from, to, BYTES);
    t.quiet();
  }

  private static boolean isListening(Station station) {
    PollSet set = new PollSet(DESCRIPTORS);
    try {
      station.nic.listen(set);
    } catch (UnsupportedOperationException e) {
      return false;
    }
    return set.count() > 0;
  }

  private static void pendingKeepsAwake(Trial t, Station from, Station to) {
    for (int i = 0; i < ROUNDS; i++) {
      t.require(to.nic.arm(), "arm found something, and nothing was sent");
      to.nic.disarm();
      to.listens = false;
      long number = t.send(from, to, BYTES);
      boolean[] awake = new boolean[1];
      t.await(
          () -> {
            awake[0] = !to.nic.arm();
            to.nic.disarm();
            return awake[0];
          },
          "arm says that nothing has arrived, and a frame waits");
      to.listens = true;
      t.expect(to, from, number, BYTES);
    }
  }

  /** One thread: armed, then sent to, it does not sleep; answered, the bell rings no more. */
  private static void wakes(Trial t, Station from, Station to) {
    PollSet set = new PollSet(DESCRIPTORS);
    to.nic.listen(set);
    t.require(set.count() > 0, "sleep is announced, and there is nothing to sleep on");
    for (int i = 0; i < ROUNDS; i++) {
      to.listens = false;
      t.require(to.nic.arm(), "arm found something, and nothing was sent");
      long number = t.send(from, to, BYTES);
      from.nic.flush();
      int ready = set.await(SECOND_NS);
      to.nic.disarm();
      t.require(ready > 0, "a frame that came after arm woke nobody within a second");
      to.listens = true;
      t.expect(to, from, number, BYTES);
      int rings = 0;
      do {
        t.require(to.nic.arm(), "arm found something, and nothing was sent");
        ready = set.await(INSTANT_NS);
        to.nic.disarm();
        to.collect();
      } while (ready > 0 && rings++ < STALE_RINGS_MAX);
      t.require(ready == 0, "a bell that was answered rings on: nobody would ever sleep");
    }
  }

  /** Two threads that answer each other, and sleep or look as they please. */
  private static void pingPong(Trial t, Station one, Station other) {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  try {
                    new Player(t, other, one, 2).play(false);
                  } catch (RuntimeException | Error e) {
                    thrown.set(e);
                  }
                });
    RuntimeException mine = null;
    try {
      new Player(t, one, other, 1).play(true);
    } catch (RuntimeException e) {
      mine = e;
    }
    join(t, thread);
    if (mine != null) {
      throw mine;
    }
    Throwable theirs = thrown.get();
    if (theirs != null) {
      Violation violation = t.violation("the other one: %s", theirs);
      violation.initCause(theirs);
      throw violation;
    }
  }

  private static void join(Trial t, Thread thread) {
    try {
      t.require(thread.join(Duration.ofNanos(2 * WATCHDOG_NS)), "a sleeper did not wake up");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** One of two who play. */
  private static final class Player {
    private final Trial t;
    private final Station station;
    private final Station other;
    private final SplittableRandom random;
    private final PollSet set = new PollSet(DESCRIPTORS);
    private final MemorySegment bytes;
    private long came = -1;

    Player(Trial t, Station station, Station other, long seed) {
      this.t = t;
      this.station = station;
      this.other = other;
      random = new SplittableRandom(seed);
      bytes = station.scratch(BYTES);
      station.nic.listen(set);
    }

    void play(boolean begins) {
      for (long i = 0; i < PING_PONGS; i++) {
        if (begins) {
          send(i);
        }
        while (came < i) {
          receive();
        }
        if (!begins) {
          send(i);
        }
      }
    }

    private void send(long number) {
      Probe.fill(bytes, 0, BYTES, station.index, number);
      long result = station.nic.transmit(station.peer(other), bytes, 0, BYTES);
      t.require(Nic.isTicket(result), "a lone frame was refused with %d", result);
      station.nic.flush();
    }

    private void receive() {
      for (int looks = random.nextInt(4) == 0 ? random.nextInt(2000) : 0; looks > 0; looks--) {
        if (poll() > 0) {
          return;
        }
        Thread.onSpinWait();
      }
      boolean sleeps = station.nic.arm();
      int ready = sleeps ? set.await(WATCHDOG_NS) : 1;
      station.nic.disarm();
      int count = poll();
      t.require(
          ready > 0,
          "a sleeper slept %d s, and %d frames had come: a wake-up was lost",
          WATCHDOG_NS / SECOND_NS,
          count);
    }

    private int poll() {
      return station.poll(
          (peer, memory, offset, length, frame) -> {
            long number = Probe.number(memory, offset);
            t.require(number == came + 1, "frame %d came where %d was due", number, came + 1);
            came = number;
          },
          4);
    }
  }
}

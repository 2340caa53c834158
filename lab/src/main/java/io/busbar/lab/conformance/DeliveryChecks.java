package io.busbar.lab.conformance;

import io.busbar.fabric.FrameReceiver;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicCount;
import io.busbar.fabric.NicCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** What arrives, how often, in which order, and how it is counted. */
final class DeliveryChecks {
  private static final int[] LENGTHS = {1, 31, 32, 64, 255, 256, 1024};
  private static final int FRAMES = 100_000;

  /** So many frames for a receiver that does not poll: more than any ring holds. */
  private static final int FLOOD_RELIABLE = 300_000;

  private static final int FLOOD_LOSSY = 20_000;
  private static final int FLOOD_BYTES = 64;

  /** Frames that come after a flood, when the receiver polls again. */
  private static final int AGAIN = 20;

  /** So often a full sender tries again before it is believed. */
  private static final int FULL_TRIES = 20;

  /** A lossy carrier under a lagging receiver must still bring one frame in so many. */
  private static final int PROGRESS = 100;

  private static final int IDLE_ROUNDS_MAX = 2000;

  private DeliveryChecks() {}

  static void wholeFrames(Trial t) {
    Station[] stations = t.connected();
    for (Station from : stations) {
      for (Station to : stations) {
        if (from != to) {
          int most = from.nic.frameBytesMax(from.peer(to));
          t.require(most >= 32, "the longest frame has %d bytes", most);
          for (int length : LENGTHS) {
            if (length >= t.rig().frameBytesMin() && length <= most) {
              t.exchange(from, to, length);
            }
          }
          t.exchange(from, to, most);
        }
      }
    }
    crossing(t, stations);
    t.quiet();
  }

  /** Everybody to everybody, before anybody polls. */
  private static void crossing(Trial t, Station[] stations) {
    int length = Math.max(64, t.rig().frameBytesMin());
    for (Station station : stations) {
      station.listens = false;
    }
    List<Tally> tallies = new ArrayList<>();
    for (Station from : stations) {
      for (Station to : stations) {
        if (from != to) {
          Tally tally = new Tally(t, from, to);
          t.taken(() -> tally.trySend(length));
          tallies.add(tally);
        }
      }
    }
    for (Station station : stations) {
      station.listens = true;
    }
    for (Tally tally : tallies) {
      t.await(
          () -> tally.to.letters.stream().anyMatch(letter -> isOf(letter, tally)),
          "a frame from station %d to station %d got lost when all sent at once",
          tally.from.index,
          tally.to.index);
      for (Station.Letter letter : List.copyOf(tally.to.letters)) {
        if (isOf(letter, tally)) {
          tally.onFrame(letter.peer(), letter.bytes(), 0, letter.length());
          tally.to.letters.remove(letter);
        }
      }
    }
  }

  private static boolean isOf(Station.Letter letter, Tally tally) {
    return tally.isOf(letter.bytes(), 0, letter.length());
  }

  static void orderAndLoss(Trial t) {
    Station[] stations = t.connected();
    Station to = stations[1];
    List<Tally> tallies = new ArrayList<>();
    for (Station from : stations) {
      if (from != to) {
        tallies.add(new Tally(t, from, to));
      }
    }
    FrameReceiver receiver = receiver(t, tallies);
    SplittableRandom random = new SplittableRandom(1);
    int quota = FRAMES / tallies.size();
    int idle = 0;
    while (tallies.stream().anyMatch(tally -> tally.sent() < quota)) {
      long before = sum(tallies);
      boolean full = false;
      for (Tally tally : tallies) {
        full |= !burst(t, tally, Math.min(1 + random.nextInt(32), quota - tally.sent()));
      }
      t.settle();
      to.poll(receiver, (full ? 64 : 1) + random.nextInt(16));
      idle = sum(tallies) == before ? idle + 1 : 0;
      t.require(idle < IDLE_ROUNDS_MAX, "nothing moves after %d frames and steps", before);
    }
    drain(t, to, receiver, tallies);
    for (Tally tally : tallies) {
      t.require(
          tally.received() >= (t.isReliable() ? tally.sent() : tally.sent() / PROGRESS),
          "of %d frames from station %d only %d came",
          tally.sent(),
          tally.from.index,
          tally.received());
    }
    t.quiet();
  }

  /** Sends some frames; false when the interface was full. Full senders poll, as they should. */
  private static boolean burst(Trial t, Tally tally, long count) {
    for (long i = 0; i < count; i++) {
      int length = Math.max(32, t.rig().frameBytesMin()) + (int) (tally.sent() % 33);
      long result = tally.trySend(length);
      if (result == Nic.FULL) {
        tally.from.nic.flush();
        tally.from.collect();
        return false;
      }
      t.require(Nic.isTicket(result), "a frame was refused with %d", result);
    }
    return true;
  }

  private static long sum(List<Tally> tallies) {
    long sum = 0;
    for (Tally tally : tallies) {
      sum += tally.sent() + tally.received();
    }
    return sum;
  }

  private static FrameReceiver receiver(Trial t, List<Tally> tallies) {
    return (peer, memory, offset, length, frame) -> {
      for (Tally tally : tallies) {
        if (tally.isOf(memory, offset, length)) {
          tally.onFrame(peer, memory, offset, length);
          return;
        }
      }
      throw t.violation("%d bytes came that nobody sent", length);
    };
  }

  /** Polls until all has come, or nothing more does. */
  private static void drain(Trial t, Station to, FrameReceiver receiver, List<Tally> tallies) {
    int patience = t.isReliable() ? IDLE_ROUNDS_MAX : 50;
    for (int idle = 0; idle < patience; idle++) {
      t.settle();
      if (to.poll(receiver, 64) > 0) {
        idle = 0;
      }
      if (tallies.stream().allMatch(tally -> tally.received() == tally.sent())) {
        return;
      }
    }
  }

  static void full(Trial t) {
    Station[] stations = t.connected(2);
    Tally tally = new Tally(t, stations[0], stations[1]);
    Station from = tally.from;
    tally.to.listens = false;
    FrameReceiver receiver = receiver(t, List.of(tally));
    long refusals = from.counted(NicCount.REFUSED_FULL);
    long lost = t.namedLosses();
    long refused = flood(t, tally);
    t.require(
        from.counted(NicCount.REFUSED_FULL) - refusals == refused,
        "%d frames were refused, %d were counted",
        refused,
        from.counted(NicCount.REFUSED_FULL) - refusals);
    drain(t, tally.to, receiver, List.of(tally));
    for (int i = 0; i < AGAIN; i++) {
      t.taken(() -> tally.trySend(FLOOD_BYTES));
      drain(t, tally.to, receiver, List.of(tally));
    }
    t.require(
        tally.sent() == tally.received() + t.namedLosses() - lost,
        "%d frames were taken and %d came; %d were counted as lost",
        tally.sent(),
        tally.received(),
        t.namedLosses() - lost);
    t.exchange(tally.to, from, FLOOD_BYTES);
  }

  /** Sends until it is refused for good, or long enough; how often it was refused. */
  private static long flood(Trial t, Tally tally) {
    Station from = tally.from;
    int most = t.isReliable() ? FLOOD_RELIABLE : FLOOD_LOSSY;
    long refused = 0;
    int tries = 0;
    while (tally.sent() < most && tries < FULL_TRIES) {
      long result = tally.trySend(FLOOD_BYTES);
      tries = result == Nic.FULL ? tries + 1 : 0;
      refused += result == Nic.FULL ? 1 : 0;
      t.require(result == Nic.FULL || Nic.isTicket(result), "refused with %d", result);
      if (result == Nic.FULL || tally.sent() % 32 == 0) {
        t.settle();
        from.collect();
      }
    }
    t.require(
        tries == FULL_TRIES || !t.isReliable(),
        "%d frames were taken for a receiver that does not poll: is there no bound?",
        tally.sent());
    return refused;
  }

  static void counters(Trial t) {
    Station[] stations = t.connected(2);
    t.exchange(stations[0], stations[1], 64);
    t.exchange(stations[1], stations[0], 64);
    Books[] books = {new Books(t, stations[0]), new Books(t, stations[1])};
    long lost = t.namedLosses();
    for (int i = 0; i < 500; i++) {
      int from = i % 3 == 0 ? 1 : 0;
      int length = Math.max(t.rig().frameBytesMin(), 16 + i % 17);
      t.exchange(stations[from], stations[1 - from], length);
      books[from].sent++;
      books[from].bytesSent += length;
      books[1 - from].received++;
      books[1 - from].bytesReceived += length;
    }
    int most = stations[0].nic.frameBytesMax(stations[0].peer(stations[1]));
    stations[0].nic.transmit(
        stations[0].peer(stations[1]), stations[0].scratch(most + 1), 0, most + 1);
    books[0].refused++;
    books[0].check();
    books[1].check();
    t.require(t.namedLosses() == lost, "losses were counted, and nothing was lost");
  }

  /** What a station's counters must have grown by. */
  private static final class Books {
    private final Trial trial;
    private final Station station;
    private final NicCounters counters;
    private final NicCounters before = new NicCounters();
    long sent;
    long bytesSent;
    long received;
    long bytesReceived;
    long refused;

    Books(Trial trial, Station station) {
      this.trial = trial;
      this.station = station;
      counters = station.nic.counters();
      for (NicCount count : NicCount.values()) {
        before.add(count, counters.get(count));
      }
    }

    void check() {
      check(NicCount.FRAMES_SENT, sent);
      check(NicCount.BYTES_SENT, bytesSent + sent * trial.rig().envelopeBytes());
      check(NicCount.FRAMES_RECEIVED, received);
      check(NicCount.BYTES_RECEIVED, bytesReceived + received * trial.rig().envelopeBytes());
      check(NicCount.REFUSED_TOO_LONG, refused);
      check(NicCount.LOST_SENDING, 0);
      check(NicCount.FAULTS, 0);
    }

    /** Counters that were asked for once go on counting. */
    private void check(NicCount count, long expected) {
      trial.require(
          counters.get(count) - before.get(count) == expected
              && counters.get(count) == station.counted(count),
          "station %d counted %s %d times, later it says %d; it was %d",
          station.index,
          count,
          counters.get(count) - before.get(count),
          station.counted(count) - before.get(count),
          expected);
    }
  }
}

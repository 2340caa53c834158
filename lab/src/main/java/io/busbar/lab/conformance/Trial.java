package io.busbar.lab.conformance;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicCapability;
import io.busbar.fabric.NicCount;
import io.busbar.lab.Violation;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** One run of one check: its stations, the time that passes between them, and its complaints. */
final class Trial {
  /** So often nothing may come before a frame is taken for lost. */
  private static final int PATIENCE = 2000;

  /** So often it is looked that nothing comes any more. */
  private static final int QUIET = 20;

  private static final int ROUNDS_MAX = 1_000_000;

  private final String check;
  private final NicRig rig;
  private final List<Station> stations = new ArrayList<>();
  private long numbers;

  Trial(String check, NicRig rig) {
    this.check = check;
    this.rig = rig;
  }

  NicRig rig() {
    return rig;
  }

  // Complaints.

  @FormatMethod
  Violation violation(@FormatString String what, Object... values) {
    return new Violation(check, what.formatted(values));
  }

  @FormatMethod
  void require(boolean holds, @FormatString String what, Object... values) {
    if (!holds) {
      throw violation(what, values);
    }
  }

  /** What the caller may not do is refused by one of these; anything else is no refusal. */
  @SafeVarargs
  final void requireRefused(
      String what, Runnable call, Class<? extends RuntimeException>... allowed) {
    try {
      call.run();
    } catch (RuntimeException e) {
      for (Class<? extends RuntimeException> type : allowed) {
        if (type.isInstance(e)) {
          return;
        }
      }
      Violation violation = violation("%s: refused with %s", what, e);
      violation.initCause(e);
      throw violation;
    }
    throw violation("%s was not refused", what);
  }

  // Stations.

  Station station(int index) {
    Station station = new Station(this, index);
    stations.add(station);
    return station;
  }

  /** Stations that have all opened each other: three, where the rig has them. */
  Station[] connected() {
    return connected(Math.min(3, rig.stations()));
  }

  Station[] connected(int count) {
    Station[] made = new Station[count];
    for (int i = 0; i < count; i++) {
      made[i] = station(i);
    }
    for (Station from : made) {
      for (Station to : made) {
        if (from != to) {
          from.open(to);
        }
      }
    }
    return made;
  }

  boolean isReliable() {
    return stations.stream().allMatch(station -> station.can(NicCapability.RELIABLE));
  }

  void close() {
    stations.forEach(station -> station.nic.close());
  }

  /** A station is closed for the rest of the trial. */
  void retire(Station station) {
    stations.remove(station);
    station.nic.close();
  }

  // Time.

  /** Whatever was placed leaves, and a little time passes. */
  void settle() {
    for (Station station : stations) {
      station.nic.flush();
    }
    rig.settle();
  }

  /** Time passes, and whoever listens collects; whether anything came. */
  boolean pump() {
    settle();
    int sum = 0;
    for (Station station : stations) {
      sum += station.listens ? station.collect() : 0;
    }
    return sum > 0;
  }

  /** Lets time pass until something is so; it is asked once each time, and may poll by itself. */
  @FormatMethod
  void await(BooleanSupplier done, @FormatString String what, Object... values) {
    int idle = 0;
    for (int round = 0; round < ROUNDS_MAX && idle < PATIENCE; round++) {
      if (done.getAsBoolean()) {
        return;
      }
      idle = pump() ? 0 : idle + 1;
    }
    throw violation(what, values);
  }

  /** Lets time pass in which nothing may come. */
  void quiet() {
    for (int round = 0; round < QUIET; round++) {
      pump();
    }
    for (Station station : stations) {
      require(
          station.letters.isEmpty(),
          "station %d received %d frames that nobody sent to it",
          station.index,
          station.letters.size());
    }
  }

  // Frames.

  long nextNumber() {
    return numbers++;
  }

  /** Repeats a call while it is refused for want of room. */
  long taken(LongSupplier call) {
    long result = call.getAsLong();
    for (int round = 0; result == Nic.FULL && round < PATIENCE; round++) {
      pump();
      result = call.getAsLong();
    }
    require(Nic.isTicket(result), "a frame was refused with %d", result);
    return result;
  }

  /** Sends a probe; its number. */
  long send(Station from, Station to, int length) {
    long number = nextNumber();
    MemorySegment bytes = from.scratch(length);
    Probe.fill(bytes, 0, length, from.index, number);
    int peer = from.peer(to);
    taken(() -> from.nic.transmit(peer, bytes, 0, length));
    return number;
  }

  /** The next frame at a station is this one, from this peer, whole. */
  void expect(Station at, Station from, long number, int length) {
    await(
        () -> !at.letters.isEmpty(),
        "a frame of %d bytes from station %d never came to station %d",
        length,
        from.index,
        at.index);
    check(at.letters.remove(), at, from, number, length);
  }

  void check(Station.Letter letter, Station at, Station from, long number, int length) {
    require(
        letter.length() == length, "a frame of %d bytes arrived with %d", length, letter.length());
    require(
        Probe.matches(letter.bytes(), 0, length, from.index, number),
        "a frame of %d bytes arrived with other bytes",
        length);
    require(
        letter.peer() == at.peer(from),
        "a frame from station %d came as from peer %d, which is not %d",
        from.index,
        letter.peer(),
        at.peer(from));
  }

  /** Sends a probe, and it comes. */
  void exchange(Station from, Station to, int length) {
    expect(to, from, send(from, to, length), length);
  }

  /** Frames that were lost and counted, at any station or by the rig. */
  long namedLosses() {
    long sum = rig.lostOutside();
    for (Station station : stations) {
      sum += station.counted(NicCount.LOST_ARRIVING);
      sum += station.counted(NicCount.DROPPED_TRUNCATED);
      sum += station.counted(NicCount.DROPPED_FOREIGN);
      sum += station.counted(NicCount.DROPPED_CORRUPT);
    }
    return sum;
  }
}

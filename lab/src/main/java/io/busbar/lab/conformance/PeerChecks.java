package io.busbar.lab.conformance;

import io.busbar.fabric.Nic;
import io.busbar.fabric.NicAddress;
import io.busbar.fabric.NicCapability;
import io.busbar.fabric.NicCount;
import io.busbar.linux.PollSet;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Who is reached, who is known, who is gone. */
final class PeerChecks {
  private static final int BYTES = 64;

  /** More than a ring takes. */
  private static final int LONG_BYTES = 4000;

  private static final int BROADCASTS = 100;

  private PeerChecks() {}

  static void broadcast(Trial t) {
    Station[] stations = t.connected();
    if (!stations[0].can(NicCapability.BROADCAST)) {
      t.requireRefused(
          "a broadcast, which is not announced",
          () -> stations[0].nic.transmit(Nic.EVERYONE, stations[0].scratch(BYTES), 0, BYTES),
          UnsupportedOperationException.class,
          IllegalArgumentException.class);
      return;
    }
    t.require(stations.length >= 3, "a rig that broadcasts needs three stations");
    for (int i = 0; i < BROADCASTS; i++) {
      Station from = stations[i % stations.length];
      int most = from.nic.frameBytesMax(Nic.EVERYONE);
      int length = i < 3 ? most : Math.max(t.rig().frameBytesMin(), i % Math.min(most, 1024));
      long number = t.nextNumber();
      sendToEveryone(t, from, length, number, i);
      for (Station to : stations) {
        if (to != from) {
          t.expect(to, from, number, length);
        }
      }
      t.require(from.letters.isEmpty(), "a sender hears its own broadcast");
    }
    int most = stations[0].nic.frameBytesMax(Nic.EVERYONE);
    long result =
        stations[0].nic.transmit(Nic.EVERYONE, stations[0].scratch(most + 1), 0, most + 1);
    t.require(result == Nic.TOO_LONG, "a broadcast of a byte too much gave %d", result);
    t.quiet();
  }

  private static void sendToEveryone(Trial t, Station from, int length, long number, int way) {
    if (way % 2 == 0) {
      MemorySegment bytes = from.scratch(length);
      Probe.fill(bytes, 0, length, from.index, number);
      t.taken(() -> from.nic.transmit(Nic.EVERYONE, bytes, 0, length));
    } else {
      long at = t.taken(() -> from.nic.reserve(Nic.EVERYONE, length));
      Probe.fill(from.nic.transmitMemory(), at, length, from.index, number);
      from.nic.commit(length);
    }
  }

  /** A carrier may say "a stranger, from there", or give a number and an event. */
  static void strangers(Trial t) {
    Station from = t.station(0);
    Station to = t.station(1);
    from.open(to);
    to.listens = false;
    t.send(from, to, BYTES);
    int[] peers = new int[1];
    List<NicAddress> sources = new ArrayList<>();
    t.await(
        () ->
            to.poll(
                    (peer, memory, offset, length, frame) -> {
                      peers[0] = peer;
                      sources.add(to.nic.source());
                    },
                    1)
                > 0,
        "a frame from who was not opened never came");
    to.listens = true;
    NicAddress source = sources.getFirst();
    if (peers[0] != Nic.STRANGER) {
      t.require(to.came.contains(peers[0]), "peer %d sends, and was not announced", peers[0]);
      t.require(
          to.nic.address(peers[0]).text().equals(source.text()),
          "peer %d is %s, its frame came from %s",
          peers[0],
          to.nic.address(peers[0]).text(),
          source.text());
    }
    int peer = to.nic.open(source);
    t.require(
        peers[0] == Nic.STRANGER || peers[0] == peer,
        "a peer has the numbers %d and %d",
        peers[0],
        peer);
    to.open(from);
    t.require(
        to.peer(from) == peer || !source.text().equals(from.nic.address().text()),
        "one address has the numbers %d and %d",
        peer,
        to.peer(from));
    MemorySegment bytes = to.scratch(BYTES);
    long number = t.nextNumber();
    Probe.fill(bytes, 0, BYTES, to.index, number);
    t.taken(() -> to.nic.transmit(peer, bytes, 0, BYTES));
    t.expect(from, to, number, BYTES);
    t.send(from, to, BYTES);
    t.await(() -> !to.letters.isEmpty(), "nothing comes from a peer since it was opened");
    t.require(to.letters.remove().peer() == peer, "a peer has another number since it was opened");
    t.quiet();
  }

  static void openingAndClosing(Trial t) {
    Station[] stations = t.connected(2);
    Station from = stations[0];
    Station to = stations[1];
    int peer = from.peer(to);
    t.require(
        from.nic.open(to.nic.address()) == peer, "an address that is opened twice has two numbers");
    t.require(
        from.nic.address(peer).text().equals(to.nic.address().text()),
        "peer %d was opened as %s and is said to be %s",
        peer,
        to.nic.address().text(),
        from.nic.address(peer).text());
    requireNobody(t, from, "a peer that was never opened", peer + 7);
    requireNobody(t, from, "a stranger as a destination", Nic.STRANGER);
    for (int i = 0; i < 3; i++) {
      t.exchange(from, to, BYTES);
      t.exchange(to, from, BYTES);
      from.nic.close(from.peer(to));
      requireGone(t, from, to);
      t.quiet();
      from.open(to);
      meetAgain(t, from, to);
    }
    t.exchange(from, to, BYTES);
    t.exchange(to, from, BYTES);
    t.quiet();
  }

  /** Who was opened again may have another number at the other side: that of its first frame. */
  private static void meetAgain(Trial t, Station from, Station to) {
    long number = t.send(from, to, BYTES);
    t.await(() -> !to.letters.isEmpty(), "nothing comes from who was opened again");
    Station.Letter letter = to.letters.remove();
    t.require(
        Probe.matches(letter.bytes(), 0, BYTES, from.index, number),
        "the first frame of who was opened again came changed");
    int peer = to.open(from);
    t.require(
        letter.peer() == Nic.STRANGER || letter.peer() == peer,
        "who was opened again comes as peer %d and is opened as %d",
        letter.peer(),
        peer);
  }

  static void closingInside(Trial t) {
    Station[] stations = t.connected();
    Station closes = stations[0];
    Station closed = stations[1];
    Station other = stations[stations.length - 1];
    int most = Math.min(LONG_BYTES, closes.nic.frameBytesMax(closes.peer(closed)));
    for (int length : new int[] {BYTES, most}) {
      for (Station sender : List.of(closed, other)) {
        t.exchange(closes, closed, BYTES);
        t.exchange(closed, closes, BYTES);
        closeInside(t, closes, closed, sender, length);
        if (other != closed) {
          t.exchange(other, closes, length);
          t.exchange(closes, other, length);
        }
        requireGone(t, closes, closed);
        t.quiet();
        closes.open(closed);
        meetAgain(t, closes, closed);
      }
    }
    t.exchange(closes, closed, BYTES);
    t.exchange(closed, closes, BYTES);
    t.quiet();
  }

  /** While a frame of one is delivered, the way to one, perhaps the same, is closed. */
  private static void closeInside(
      Trial t, Station closes, Station closed, Station sender, int length) {
    long number = t.send(sender, closes, length);
    int peer = closes.peer(closed);
    ReceivingChecks.receive(
        t,
        closes,
        (from, memory, offset, bytes, frame) -> {
          try {
            closes.nic.close(peer);
          } catch (RuntimeException e) {
            throw t.violation("a receiver that closes a peer is refused: %s", e);
          }
          requireGone(t, closes.nic.transmit(peer, closes.scratch(BYTES), 0, BYTES));
          t.require(
              bytes == length && Probe.matches(memory, offset, bytes, sender.index, number),
              "a frame changed when its receiver closed a peer");
        });
  }

  /** A number that was never given is refused, by name or by exception. */
  private static void requireNobody(Trial t, Station from, String what, int peer) {
    t.requireRefused(
        what,
        () -> {
          if (from.nic.transmit(peer, from.scratch(BYTES), 0, BYTES) == Nic.GONE) {
            throw new IllegalArgumentException("gone");
          }
        },
        IllegalArgumentException.class);
  }

  /** To a peer that is closed or dead: {@link Nic#GONE}, counted, in every way of sending. */
  private static void requireGone(Trial t, Station from, Station to) {
    int peer = from.peer(to);
    MemorySegment bytes = from.scratch(BYTES);
    long before = from.counted(NicCount.REFUSED_GONE);
    requireGone(t, from.nic.transmit(peer, bytes, 0, BYTES));
    requireGone(t, from.nic.reserve(peer, BYTES));
    requireGone(t, from.nic.transmit(peer, SendingChecks.frame(bytes, BYTES)));
    t.require(
        from.counted(NicCount.REFUSED_GONE) == before + 3,
        "3 frames were refused because the peer is gone, %d were counted",
        from.counted(NicCount.REFUSED_GONE) - before);
  }

  private static void requireGone(Trial t, long result) {
    t.require(result == Nic.GONE, "a frame to a peer that is gone gave %d, not GONE", result);
  }

  static void deathNotice(Trial t) {
    Station[] stations = t.connected();
    Station dying = stations[1];
    for (Station station : stations) {
      if (station != dying) {
        t.exchange(station, dying, BYTES);
        t.exchange(dying, station, BYTES);
      }
    }
    long[] last = new long[stations.length];
    for (Station station : stations) {
      if (station != dying) {
        last[station.index] = t.send(dying, station, BYTES);
      }
    }
    dying.nic.flush();
    t.rig().settle();
    t.retire(dying);
    for (Station station : stations) {
      if (station != dying) {
        survive(t, station, dying, last[station.index]);
      }
    }
    if (stations.length > 2) {
      t.exchange(stations[0], stations[2], BYTES);
      t.exchange(stations[2], stations[0], BYTES);
    }
    t.quiet();
    for (Station station : stations) {
      t.require(
          station == dying
              || !station.can(NicCapability.DEATH_NOTICE)
              || station.gone.equals(List.of(station.peer(dying))),
          "one peer went, reported were %s",
          station.gone);
    }
  }

  /** What the dead one had sent comes first, then the notice. */
  private static void survive(Trial t, Station station, Station dead, long last) {
    int peer = station.peer(dead);
    if (!station.can(NicCapability.DEATH_NOTICE)) {
      t.expect(station, dead, last, BYTES);
      MemorySegment bytes = station.scratch(BYTES);
      long result = station.nic.transmit(peer, bytes, 0, BYTES);
      t.require(result >= Nic.GONE, "a frame to a closed interface gave %d", result);
      t.settle();
      return;
    }
    t.await(() -> station.gone.contains(peer), "the end of peer %d was not reported", peer);
    t.require(!station.letters.isEmpty(), "what peer %d sent before its end did not come", peer);
    t.expect(station, dead, last, BYTES);
    requireGone(t, station, dead);
    t.require(
        station.counted(NicCount.PEERS_GONE) == 1,
        "one peer went, %d were counted",
        station.counted(NicCount.PEERS_GONE));
  }

  static void closedIsClosed(Trial t) {
    Station[] stations = t.connected(2);
    Station closed = stations[0];
    int peer = closed.peer(stations[1]);
    t.exchange(closed, stations[1], BYTES);
    MemorySegment bytes = closed.scratch(BYTES);
    NicAddress other = stations[1].nic.address();
    t.retire(closed);
    Nic nic = closed.nic;
    closeAgain(t, nic);
    requireClosed(t, "transmit", () -> nic.transmit(peer, bytes, 0, BYTES));
    requireClosed(
        t, "transmit of parts", () -> nic.transmit(peer, SendingChecks.frame(bytes, BYTES)));
    requireClosed(t, "reserve", () -> nic.reserve(peer, BYTES));
    requireClosed(t, "poll", () -> nic.poll((p, m, o, l, f) -> {}, 1));
    requireClosed(t, "open", () -> nic.open(other));
    requireClosed(t, "flush", nic::flush);
    requireClosed(t, "arm", nic::arm);
    if (closed.can(NicCapability.SLEEP)) {
      requireClosed(t, "listen", () -> nic.listen(new PollSet(16)));
    }
    closeAgain(t, nic);
    t.quiet();
  }

  private static void closeAgain(Trial t, Nic nic) {
    try {
      nic.close();
    } catch (RuntimeException e) {
      throw t.violation("an interface that is closed cannot be closed again: %s", e);
    }
  }

  private static void requireClosed(Trial t, String what, Runnable call) {
    t.requireRefused(what + " after close", call, IllegalStateException.class);
  }
}

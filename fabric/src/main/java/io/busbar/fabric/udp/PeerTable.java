package io.busbar.fabric.udp;

import io.busbar.fabric.FabricException;
import io.busbar.fabric.Nic;
import io.busbar.linux.NativeAddress;
import org.jspecify.annotations.Nullable;

/**
 * Peers by number, and by address: open addressing over twice as many places as peers, so that the
 * source of a datagram is found in a look or two, without an object.
 */
final class PeerTable {
  private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

  private final @Nullable Peer[] numbers;
  private final @Nullable Peer[] places;
  private final int mask;
  private @Nullable Peer everyone;
  private int count;
  private int numberNext;
  private int changes;

  PeerTable(int peersMax) {
    this.numbers = new Peer[peersMax];
    this.places = new Peer[Integer.highestOneBit(peersMax) << 2];
    this.mask = places.length - 1;
  }

  /** Who has the number {@link Nic#EVERYONE}. */
  void everyone(Peer all) {
    everyone = all;
  }

  /** A destination, or null when the number was not given or its peer was closed. */
  @Nullable Peer get(int number) {
    if (number >= 0 && number < numbers.length) {
      return numbers[number];
    }
    return number == Nic.EVERYONE ? everyone : null;
  }

  /** Moves on with every peer that is opened or closed. */
  int changes() {
    return changes;
  }

  int count() {
    return count;
  }

  /** Numbers given so far are below this. */
  int numbersEnd() {
    return numbers.length;
  }

  /** The peer with an address, or null. */
  @Nullable Peer find(UdpAddress address) {
    return find(address.high(), address.low(), address.port(), address.scope());
  }

  /** The peer that a datagram came from, or null. Allocates nothing. */
  @Nullable Peer find(NativeAddress from) {
    return from.isIpv4()
        ? find(0, UdpAddress.lowOf(from.ipv4()), from.port(), 0)
        : find(from.ipv6High(), from.ipv6Low(), from.port(), from.ipv6Scope());
  }

  private @Nullable Peer find(long high, long low, int port, int scope) {
    int place = place(high, low, port);
    Peer peer = places[place];
    while (peer != null && !peer.is(high, low, port, scope)) {
      place = (place + 1) & mask;
      peer = places[place];
    }
    return peer;
  }

  /** Peers on one host differ in the port, ports on one network in the host. */
  private int place(long high, long low, int port) {
    long mixed = ((low ^ Long.rotateLeft(high, 32)) + ((long) port << 40)) * MIX;
    return (int) (mixed >>> 32) & mask;
  }

  private int place(Peer peer) {
    UdpAddress address = peer.address;
    return place(address.high(), address.low(), address.port());
  }

  /** Refuses by name what is more than the table holds. */
  void checkRoom(UdpAddress address) {
    if (count == numbers.length) {
      throw new FabricException(
          "cannot open %s: %d peers are open, which is peersMax; close one, or allow more"
              .formatted(address, count));
    }
  }

  /** Gives a new peer its number: the next one that is free. */
  Peer add(UdpAddress address, int frameBytesMax) {
    checkRoom(address);
    while (numbers[numberNext] != null) {
      numberNext = numberNext + 1 < numbers.length ? numberNext + 1 : 0;
    }
    Peer peer = new Peer(numberNext, address, frameBytesMax);
    numbers[numberNext] = peer;
    int place = place(peer);
    while (places[place] != null) {
      place = (place + 1) & mask;
    }
    places[place] = peer;
    count++;
    changes++;
    return peer;
  }

  /** Takes a peer out; those behind it in the table move up, so that no hole parts them. */
  void remove(Peer peer) {
    numbers[peer.number] = null;
    numberNext = peer.number;
    count--;
    changes++;
    int hole = place(peer);
    while (!isAt(hole, peer)) {
      hole = (hole + 1) & mask;
    }
    int next = (hole + 1) & mask;
    for (Peer moved = places[next]; moved != null; moved = places[next]) {
      int home = place(moved);
      if (((next - home) & mask) >= ((next - hole) & mask)) {
        places[hole] = moved;
        hole = next;
      }
      next = (next + 1) & mask;
    }
    places[hole] = null;
  }

  private boolean isAt(int place, Peer peer) {
    Peer found = places[place];
    return found != null && found.number == peer.number;
  }
}

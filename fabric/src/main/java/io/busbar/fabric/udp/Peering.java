package io.busbar.fabric.udp;

import io.busbar.fabric.FabricException;
import io.busbar.fabric.Nic;
import io.busbar.fabric.socket.Notices;
import io.busbar.linux.SystemCallException;

/**
 * Opens ways to peers and closes them: a number, the path's width, and a shortcut for the first.
 */
final class Peering {
  private final UdpConfig config;
  private final OwnSocket own;
  private final PeerTable peers;
  private final PathMtu paths;
  private final Notices notices;
  private int shortcuts;

  Peering(UdpConfig config, OwnSocket own, PeerTable peers, PathMtu paths, Notices notices) {
    this.config = config;
    this.own = own;
    this.peers = peers;
    this.paths = paths;
    this.notices = notices;
  }

  /** A peer that is open already has its path looked at again. */
  Peer open(UdpAddress address) {
    Peer known = peers.find(address);
    if (known != null) {
      paths.tell(known, notices);
      return known;
    }
    return add(address);
  }

  private Peer add(UdpAddress address) {
    peers.checkRoom(address);
    if (address.isIpv4() != own.address.isIpv4() || address.port() == 0 || address.isAny()) {
      throw new FabricException(
          "cannot open %s from %s: a peer has an address of the same family, and a port"
              .formatted(address, own.address));
    }
    int frameBytesMax;
    try {
      frameBytesMax = paths.frameBytesMax(address);
    } catch (SystemCallException e) {
      throw new FabricException("cannot open %s: %s".formatted(address, e.getMessage()), e);
    }
    Peer added = peers.add(address, frameBytesMax);
    if (shortcuts < config.shortcutsMax()) {
      added.shortcut = Shortcut.open(own, address, config.sendBufferBytes());
      shortcuts += added.shortcut == null ? 0 : 1;
    }
    return added;
  }

  /** A destination that is open. */
  Peer opened(int number) {
    Peer peer = peers.get(number);
    if (peer == null) {
      throw new IllegalArgumentException("peer %d is not open".formatted(number));
    }
    return peer;
  }

  void close(int number) {
    if (number == Nic.EVERYONE) {
      throw new IllegalArgumentException("everyone is no peer that can be closed");
    }
    Peer gone = peers.get(number);
    if (gone == null) {
      return;
    }
    shortcuts -= gone.shortcut == null ? 0 : 1;
    gone.close();
    peers.remove(gone);
  }

  /** Peers with a shortcut. */
  int shortcuts() {
    return shortcuts;
  }

  void closeAll() {
    for (int number = 0; number < peers.numbersEnd(); number++) {
      Peer peer = peers.get(number);
      if (peer != null) {
        peer.close();
      }
    }
  }
}

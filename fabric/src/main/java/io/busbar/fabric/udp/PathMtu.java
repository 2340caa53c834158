package io.busbar.fabric.udp;

import io.busbar.linux.DeviceMtu;
import io.busbar.linux.NativeSocket;
import io.busbar.linux.SocketOption;
import io.busbar.linux.SystemCallException;
import org.jspecify.annotations.Nullable;

/**
 * The longest frame that each path takes: asked of the kernel when a peer is opened, when it
 * refuses a frame as too long, when the device's MTU has changed, and now and then.
 */
final class PathMtu {
  /** IP and UDP in front of a frame. */
  private static final int HEADERS_V4 = 28;

  private static final int HEADERS_V6 = 48;

  /** What an IP packet can say of its length. */
  private static final int FRAME_BYTES_MAX_V4 = 0xFFFF - HEADERS_V4;

  private static final int FRAME_BYTES_MAX_V6 = 0xFFFF - 8;

  private final Home home;
  private final NativeSocket socket;
  private final @Nullable DeviceMtu device;
  private int deviceMtu;
  private int nextPeer;

  PathMtu(Home home, NativeSocket socket) {
    this.home = home;
    this.socket = socket;
    this.device = home.device().isEmpty() ? null : new DeviceMtu(home.device());
    this.deviceMtu = readDevice();
  }

  private int readDevice() {
    return device == null ? 0 : Math.max(0, device.read(socket));
  }

  /** The device's MTU as it was seen last; 0 when it is not known. */
  int deviceMtu() {
    return deviceMtu;
  }

  /** Whether the device's MTU is another one now; one system call. */
  boolean hasDeviceChanged() {
    int now = readDevice();
    boolean changed = now != 0 && now != deviceMtu;
    deviceMtu = now == 0 ? deviceMtu : now;
    return changed;
  }

  /**
   * The longest frame to an address now.
   *
   * @throws SystemCallException when there is no route
   */
  int frameBytesMax(UdpAddress to) {
    boolean ipv4 = to.isIpv4();
    try (NativeSocket probe = ipv4 ? NativeSocket.udp4() : NativeSocket.udp6()) {
      probe.bind(home.address().withPort(0).toNative());
      if (to.isMulticast()) {
        Everyone.sendVia(probe, ipv4, home.device());
      } else if (ipv4) {
        probe.set(SocketOption.SO_BROADCAST, 1);
      }
      probe.connect(to.toNative());
      int mtu = probe.get(ipv4 ? SocketOption.IP_MTU : SocketOption.IPV6_MTU);
      return ipv4
          ? Math.min(mtu - HEADERS_V4, FRAME_BYTES_MAX_V4)
          : Math.min(mtu - HEADERS_V6, FRAME_BYTES_MAX_V6);
    }
  }

  /** Asks again; whether the answer is another one. Without a route the old one stays. */
  boolean learn(Peer peer) {
    int before = peer.frameBytesMax;
    try {
      peer.frameBytesMax = frameBytesMax(peer.address);
    } catch (SystemCallException e) {
      return false;
    }
    return peer.frameBytesMax != before;
  }

  /** Asks again for one peer after another, at each call one. */
  void learnNext(PeerTable peers, Notices notices) {
    for (int i = 0; i < peers.numbersEnd(); i++) {
      nextPeer = nextPeer + 1 < peers.numbersEnd() ? nextPeer + 1 : 0;
      Peer peer = peers.get(nextPeer);
      if (peer != null) {
        tell(peer, notices);
        return;
      }
    }
  }

  /** Asks again for all. */
  void learnAll(PeerTable peers, Notices notices) {
    for (int number = 0; number < peers.numbersEnd(); number++) {
      Peer peer = peers.get(number);
      if (peer != null) {
        tell(peer, notices);
      }
    }
  }

  /** Asks again for one, and reports a change. */
  void tell(Peer peer, Notices notices) {
    if (learn(peer)) {
      notices.frameBytesMax(peer);
    }
  }
}

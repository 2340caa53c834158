package io.busbar.fabric.udp;

import io.busbar.fabric.Nic;
import io.busbar.fabric.socket.Notices;
import io.busbar.linux.DeviceWatch;
import io.busbar.linux.NativeSocket;
import io.busbar.linux.SocketOption;
import io.busbar.linux.SystemCallException;
import org.jspecify.annotations.Nullable;

/**
 * The longest frame that each path takes: asked of the kernel when a peer is opened, when it
 * refuses a frame as too long, when the device's MTU has changed, and now and then.
 *
 * <p>The socket that asks is opened with the interface and stays in its network namespace, wherever
 * the threads go that use it.
 */
final class PathMtu implements AutoCloseable {
  /** IP and UDP in front of a frame. */
  private static final int HEADERS_V4 = 28;

  private static final int HEADERS_V6 = 48;

  /** What an IP packet can say of its length. */
  private static final int FRAME_BYTES_MAX_V4 = 0xFFFF - HEADERS_V4;

  private static final int FRAME_BYTES_MAX_V6 = 0xFFFF - 8;

  /** Bound to the interface's address, and connected to one path after another. */
  private final NativeSocket probe;

  private final boolean ipv4;
  private final @Nullable DeviceWatch device;
  private int deviceMtu;

  /** Whether one path has changed since the device was looked at: then others may have, too. */
  private boolean inDoubt;

  private boolean deviceGone;
  private int nextPeer;

  PathMtu(Home home) {
    this.ipv4 = home.address().isIpv4();
    this.probe = ipv4 ? NativeSocket.udp4() : NativeSocket.udp6();
    this.device = home.device().isEmpty() ? null : new DeviceWatch(home.device());
    probe.bind(home.address().withPort(0).toNative());
    if (ipv4) {
      probe.set(SocketOption.SO_BROADCAST, 1);
    }
    this.deviceMtu = readDevice();
  }

  private int readDevice() {
    return device == null ? 0 : Math.max(0, device.mtu(probe));
  }

  /** Groups are reached by this device. */
  void sendVia(int deviceIndex) {
    Everyone.sendVia(probe, ipv4, deviceIndex);
  }

  /** The device's MTU as it was seen last; 0 when it is not known. */
  int deviceMtu() {
    return deviceMtu;
  }

  /** Whether the device's MTU is another one now, or the device has come back; one system call. */
  boolean hasDeviceChanged() {
    int now = readDevice();
    if (now == 0) {
      deviceGone = device != null;
      return false;
    }
    boolean changed = now != deviceMtu || deviceGone || inDoubt;
    deviceMtu = now;
    deviceGone = false;
    inDoubt = false;
    return changed;
  }

  /**
   * The longest frame to an address now.
   *
   * @throws SystemCallException when there is no route
   */
  int frameBytesMax(UdpAddress to) {
    probe.connect(to.toNative());
    int mtu = probe.get(ipv4 ? SocketOption.IP_MTU : SocketOption.IPV6_MTU);
    return ipv4
        ? Math.min(mtu - HEADERS_V4, FRAME_BYTES_MAX_V4)
        : Math.min(mtu - HEADERS_V6, FRAME_BYTES_MAX_V6);
  }

  /** Asks again; whether the answer is another one. Without a route the old one stays. */
  boolean learn(Peer peer) {
    int before = peer.frameBytesMax;
    try {
      peer.frameBytesMax = frameBytesMax(peer.address);
    } catch (SystemCallException e) {
      return false;
    }
    boolean changed = peer.frameBytesMax != before;
    inDoubt |= changed;
    return changed;
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

  /** Asks again for all, everyone included. */
  void learnAll(PeerTable peers, Notices notices) {
    Peer everyone = peers.get(Nic.EVERYONE);
    if (everyone != null) {
      tell(everyone, notices);
    }
    for (int number = 0; number < peers.numbersEnd(); number++) {
      Peer peer = peers.get(number);
      if (peer != null) {
        tell(peer, notices);
      }
    }
    inDoubt = false;
  }

  /** Asks again for one, and reports a change. */
  void tell(Peer peer, Notices notices) {
    if (learn(peer)) {
      notices.frameBytesMax(peer.number, peer.frameBytesMax);
    }
  }

  @Override
  public void close() {
    probe.close();
  }
}

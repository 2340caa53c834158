package io.busbar.fabric.udp;

import io.busbar.fabric.FabricException;
import io.busbar.fabric.socket.Notices;
import io.busbar.linux.DeviceWatch;
import io.busbar.linux.Multicast;
import io.busbar.linux.NativeAddress;
import io.busbar.linux.NativeSocket;
import io.busbar.linux.SocketBuffers;
import io.busbar.linux.SocketOption;
import io.busbar.linux.SystemCallException;
import org.jspecify.annotations.Nullable;

/**
 * The socket that hears frames to everyone. It is bound to the group or broadcast address itself,
 * whose port all nodes share, several on one host too; so that nothing but such frames comes here,
 * and this interface's own port stays its own.
 */
final class Everyone implements AutoCloseable {
  final NativeSocket socket;
  private final UdpAddress address;
  private final NativeAddress group;
  private final @Nullable DeviceWatch device;
  private final NativeSocket sender;
  private final PathMtu paths;
  private int joined;

  private Everyone(
      NativeSocket socket,
      UdpAddress address,
      Home home,
      NativeSocket sender,
      PathMtu paths,
      UdpConfig config,
      Notices notices) {
    this.socket = socket;
    this.address = address;
    this.group = address.toNative();
    this.device = home.device().isEmpty() ? null : new DeviceWatch(home.device());
    this.sender = sender;
    this.paths = paths;
    socket.set(SocketOption.SO_REUSEADDR, 1);
    SocketBuffers.receive(socket, config.receiveBufferBytes());
    socket.set(SocketOption.SO_RXQ_OVFL, 1);
    boolean _ = OwnSocket.glue(socket, config, notices);
    socket.bind(group);
    if (address.isMulticast()) {
      join(index());
      setHops(config.hops());
    } else {
      sender.set(SocketOption.SO_BROADCAST, 1);
    }
  }

  /** Hears an address, and lets the sender send to it. */
  static Everyone open(
      UdpAddress address,
      Home home,
      NativeSocket sender,
      PathMtu paths,
      UdpConfig config,
      Notices notices) {
    NativeSocket socket = address.isIpv4() ? NativeSocket.udp4() : NativeSocket.udp6();
    try {
      return new Everyone(socket, address, home, sender, paths, config, notices);
    } catch (SystemCallException e) {
      socket.close();
      throw new FabricException("cannot hear %s: %s".formatted(address, e.getMessage()), e);
    }
  }

  private void join(int index) {
    Multicast.join(socket, group, index);
    if (address.isIpv4()) {
      socket.set(SocketOption.IP_MULTICAST_ALL, 0);
    }
    sendVia(sender, address.isIpv4(), index);
    paths.sendVia(index);
    joined = index;
  }

  private void setHops(int hops) {
    sender.set(
        address.isIpv4() ? SocketOption.IP_MULTICAST_TTL : SocketOption.IPV6_MULTICAST_HOPS, hops);
    sender.set(
        address.isIpv4() ? SocketOption.IP_MULTICAST_LOOP : SocketOption.IPV6_MULTICAST_LOOP, 1);
  }

  /** Multicasts leave by a device; by the route's when its number is 0. */
  static void sendVia(NativeSocket socket, boolean ipv4, int deviceIndex) {
    if (ipv4) {
      Multicast.sendVia4(socket, deviceIndex);
    } else {
      Multicast.sendVia6(socket, deviceIndex);
    }
  }

  /** The device's number; 0 without one, or while it is away. */
  private int index() {
    return device == null ? 0 : Math.max(0, device.index(socket));
  }

  /**
   * Joins again on a device that was taken away and has come back, with another number. A device
   * that only went down keeps its groups.
   */
  void renew() {
    if (!address.isMulticast()) {
      return;
    }
    int index = index();
    if (index == 0 || index == joined) {
      return;
    }
    try {
      join(index);
    } catch (SystemCallException e) {
      // Not there yet: the next frame that cannot leave asks again.
    }
  }

  @Override
  public void close() {
    socket.close();
  }
}

package io.busbar.fabric.ether;

import io.busbar.fabric.socket.Cadence;
import io.busbar.fabric.socket.Notices;
import io.busbar.linux.DeviceWatch;
import io.busbar.linux.Errno;
import io.busbar.linux.NetworkDevice;
import io.busbar.linux.SystemCallException;

/**
 * Notices what happens to the interface and is told to nobody who only listens: another MTU,
 * another name, or that it was taken away and made anew.
 */
final class LinkWatch {
  private final PacketWay packets;
  private final Cadence cadence = new Cadence();
  private DeviceWatch device;
  private String name;
  private int index;
  private int mtu;

  LinkWatch(NetworkDevice device, PacketWay packets) {
    this.packets = packets;
    this.device = new DeviceWatch(device.name());
    this.name = device.name();
    this.index = device.index();
    this.mtu = device.mtu();
  }

  /** The longest frame behind the Ethernet header, when it was last looked at. */
  int mtu() {
    return mtu;
  }

  /** At every poll. */
  void look(EtherPeers peers, Notices notices) {
    if (cadence.isDue()) {
      lookNow(peers, notices);
    }
  }

  /** Before every sleep. */
  void lookBeforeSleep(EtherPeers peers, Notices notices) {
    if (cadence.isDueBeforeSleep()) {
      lookNow(peers, notices);
    }
  }

  void lookNow(EtherPeers peers, Notices notices) {
    int now = device.index(packets.socket());
    if (now != index) {
      follow(now, notices);
    }
    int bytes = device.mtu(packets.socket());
    if (bytes > 0 && bytes != mtu) {
      mtu = bytes;
      peers.forEach(peer -> notices.frameBytesMax(peer.number, bytes));
    }
  }

  /** Another interface has the name now, or none. */
  private void follow(int now, Notices notices) {
    String renamed = DeviceWatch.name(packets.socket(), index);
    if (!renamed.isEmpty()) {
      name = renamed;
      device = new DeviceWatch(renamed);
    } else if (now > 0) {
      try {
        packets.bind(now);
        index = now;
      } catch (SystemCallException e) {
        notices.warnOnce("bind", "%s was made anew: %s".formatted(name, e.getMessage()));
      }
    } else if (now == -Errno.ENODEV) {
      notices.warnOnce(
          "gone",
          "there is no interface %s any more; frames are lost until there is".formatted(name));
    }
  }
}

package io.busbar.fabric.survey;

import io.busbar.fabric.FabricException;
import io.busbar.fabric.NicEvents;
import io.busbar.fabric.shm.HostIdentity;
import io.busbar.fabric.shm.ShmAddress;
import io.busbar.fabric.udp.UdpAddress;
import io.busbar.fabric.udp.UdpConfig;
import io.busbar.fabric.udp.UdpNic;
import io.busbar.linux.DeviceDriver;
import io.busbar.linux.NetworkDevice;
import io.busbar.linux.SystemCallException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What this process can use.
 *
 * @param host which host this is for the rule of shared memory
 * @param carriers each one that there is
 * @param limits what bears on them
 * @param devices network interfaces of this namespace
 */
public record Survey(
    HostIdentity host,
    List<CarrierTrial> carriers,
    List<LimitFound> limits,
    List<DeviceFound> devices) {
  private static final int UDP4_HEADER_BYTES = 28;
  private static final int SOCKET_BYTES_WANTED = UdpConfig.defaults().receiveBufferBytes();

  /** Copies the lists. */
  public Survey {
    carriers = List.copyOf(carriers);
    limits = List.copyOf(limits);
    devices = List.copyOf(devices);
  }

  /**
   * Tries everything; takes some milliseconds.
   *
   * @param directory where segments of shared memory would be
   */
  public static Survey take(String directory) {
    List<DeviceFound> devices = lookAtDevices();
    int frameBytes =
        devices.stream()
            .filter(DeviceFound::up)
            .min(Comparator.comparing(device -> device.name().equals("lo")))
            .map(DeviceFound::frameBytesMax)
            .orElse(0);
    CarrierTrial packet = RawTrial.packet(devices.stream().filter(DeviceFound::up).toList());
    return new Survey(
        HostIdentity.current(),
        List.of(ShmTrial.run(directory), UdpTrial.run(frameBytes), packet, RawTrial.xdp(packet)),
        new Limits().all(directory, SOCKET_BYTES_WANTED),
        devices);
  }

  /** Whether at least one carrier works. */
  public boolean isUsable() {
    return carriers.stream().anyMatch(CarrierTrial::usable);
  }

  private static List<DeviceFound> lookAtDevices() {
    List<DeviceFound> found = new ArrayList<>();
    try {
      for (NetworkInterface each : NetworkInterface.networkInterfaces().toList()) {
        found.add(device(each));
      }
    } catch (IOException e) {
      throw new FabricException("cannot list the network interfaces: " + e.getMessage(), e);
    }
    return found;
  }

  private static DeviceFound device(NetworkInterface each) {
    NetworkDevice device = NetworkDevice.of(each.getName());
    return new DeviceFound(
        device.name(),
        device.isUp() && device.isRunning(),
        device.mtu(),
        Math.max(0, Math.min(device.mtu(), 0xFFFF) - UDP4_HEADER_BYTES),
        device.canBroadcast(),
        device.canMulticast(),
        each.getInterfaceAddresses().stream()
            .map(InterfaceAddress::getAddress)
            .map(InetAddress::getHostAddress)
            .toList(),
        DeviceDriver.of(device));
  }

  /**
   * Which carrier would be used to a peer.
   *
   * @param peer an address as a carrier writes it, or a host's IP address
   */
  public PeerChoice choose(String peer) {
    if (peer.startsWith("shm:")) {
      return chooseShm(peer, ShmAddress.parse(peer));
    }
    String text =
        peer.startsWith("udp:")
            ? peer
            : "udp:" + (peer.contains(":") ? "[" + peer + "]" : peer) + ":9";
    UdpAddress address = UdpAddress.parse(text);
    UdpConfig config =
        UdpConfig.builder()
            .bind(address.isIpv4() ? UdpAddress.ANY_IPV4 : UdpAddress.ANY_IPV6)
            .build();
    try (UdpNic nic = new UdpNic(config, NicEvents.NONE)) {
      int number = nic.open(address);
      String why =
          isHere(address)
              ? "an address of this host; two nodes here that find each other's segment use shm"
              : "another host: udp needs no privilege; a node measures packet against it, where both may";
      return new PeerChoice(peer, UdpNic.FABRIC, why, nic.frameBytesMax(number));
    } catch (FabricException | SystemCallException e) {
      return new PeerChoice(peer, "none", String.valueOf(e.getMessage()), 0);
    }
  }

  private boolean isHere(UdpAddress address) {
    String text = address.withPort(0).text();
    return devices.stream()
        .flatMap(device -> device.addresses().stream())
        .map(own -> own.contains(":") ? "[" + own.replaceAll("%.*", "") + "]" : own)
        .anyMatch(own -> sameHost(own, text));
  }

  private static boolean sameHost(String own, String text) {
    return UdpAddress.parse(own + ":0").text().equals(text);
  }

  private PeerChoice chooseShm(String peer, ShmAddress address) {
    CarrierTrial shm = carriers.getFirst();
    if (address.host().boot() != host.boot()) {
      return new PeerChoice(peer, "udp", "another machine, or another boot of this one", 0);
    }
    if (address.host().network() != host.network()) {
      return new PeerChoice(
          peer, "udp", "this machine, but another network namespace: that is another host", 0);
    }
    return shm.usable()
        ? new PeerChoice(
            peer,
            "shm",
            "same boot, same network namespace; its token is read back when it is opened",
            shm.frameBytesMax())
        : new PeerChoice(
            peer, "udp", "this host, but shared memory cannot be used: " + shm.verdict(), 0);
  }
}

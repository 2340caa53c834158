package io.busbar.node;

import io.busbar.fabric.FabricException;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicAddress;
import io.busbar.fabric.NicEvents;
import io.busbar.fabric.ether.EtherAddress;
import io.busbar.fabric.ether.EtherConfig;
import io.busbar.fabric.ether.EtherNic;
import io.busbar.fabric.shm.ShmAddress;
import io.busbar.fabric.shm.ShmConfig;
import io.busbar.fabric.shm.ShmNic;
import io.busbar.fabric.udp.UdpAddress;
import io.busbar.fabric.udp.UdpConfig;
import io.busbar.fabric.udp.UdpNic;
import io.busbar.linux.NetworkDevice;
import io.busbar.linux.SystemCallException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Opens the carriers that a node uses, by their names. */
final class Carriers {
  private static final int SHM_NODES_MAX = 255;

  /** What an Ethernet frame holds, less the headers of IP and UDP. */
  private static final int FRAME_BYTES = 1472;

  /** The longest datagram. */
  private static final int FRAME_BYTES_MAX = 65_507;

  private static final int IP_UDP_BYTES = 28;

  private final NodeConfig config;

  Carriers(NodeConfig config) {
    this.config = config;
  }

  /**
   * The longest frame that the carriers to other hosts take: as the MTU of the interface allows.
   */
  int frameBytesMax() {
    return device()
        .filter(device -> !device.isLoopback())
        .map(device -> Math.clamp(device.mtu() - IP_UDP_BYTES, FRAME_BYTES, FRAME_BYTES_MAX))
        .orElse(FRAME_BYTES);
  }

  /** The interface that has the host's address. */
  private Optional<NetworkDevice> device() {
    try {
      String name = UdpNic.deviceOf(udp());
      return name.isEmpty() ? Optional.empty() : Optional.of(NetworkDevice.of(name));
    } catch (SystemCallException | FabricException e) {
      return Optional.empty(); // it may have gone meanwhile
    }
  }

  private UdpConfig udp() {
    return udp(0, "");
  }

  private UdpConfig udp(int port, String group) {
    UdpConfig.Builder built =
        UdpConfig.builder().bind(UdpAddress.parse(config.host() + ":" + port));
    return (group.isEmpty() ? built : built.everyone(UdpAddress.parse(group))).build();
  }

  /** With the port that seeds name, if nobody on this host has it. */
  private UdpNic openUdp(NicEvents events) {
    Discovery discovery = config.discovery();
    if (discovery == null) {
      return new UdpNic(udp(), events);
    }
    try {
      return new UdpNic(udp(discovery.port(), discovery.group()), events);
    } catch (FabricException e) {
      return new UdpNic(udp(0, discovery.group()), events);
    }
  }

  /** What this host is called. */
  static String hostName() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    } catch (IOException e) {
      return "?";
    }
  }

  /**
   * Opens one.
   *
   * @param id this node's id
   * @param incarnation this node's life
   * @throws FabricException when it cannot be used here; it says why
   */
  Nic open(String fabric, int id, long incarnation, NicEvents events) {
    return switch (fabric) {
      case ShmNic.FABRIC -> {
        if (config.size() > SHM_NODES_MAX) { // all of such a job choose alike
          throw new FabricException(
              "shared memory is for %d processes, and the job has %d"
                  .formatted(SHM_NODES_MAX, config.size()));
        }
        yield new ShmNic(ShmConfig.defaults().in(config.shmDirectory()), events);
      }
      case EtherNic.PACKET ->
          new EtherNic(EtherConfig.packet(ethernet(), id).of(incarnation), events);
      case EtherNic.XDP -> new EtherNic(EtherConfig.xdp(ethernet(), id).of(incarnation), events);
      default -> openUdp(events);
    };
  }

  /** Two carriers on raw Ethernet would take each other's frames away, or hear them twice. */
  static void checkAlone(String fabric, Collection<Nic> opened) {
    List<String> raw = List.of(EtherNic.PACKET, EtherNic.XDP);
    for (Nic nic : opened) {
      if (raw.contains(fabric) && raw.contains(nic.fabric())) {
        throw new FabricException(
            "%s is not opened beside %s, which hears the same frames"
                .formatted(fabric, nic.fabric()));
      }
    }
  }

  private String ethernet() {
    NetworkDevice device =
        device()
            .orElseThrow(
                () ->
                    new FabricException(
                        "no interface has the address %s: raw Ethernet needs one"
                            .formatted(config.host())));
    if (device.isLoopback()) {
      throw new FabricException(
          "%s is on %s, which is no Ethernet: give the address of an Ethernet interface"
              .formatted(config.host(), device.name()));
    }
    return device.name();
  }

  /** Reads an address of any carrier. */
  static NicAddress parse(String text) {
    String kind = text.substring(0, Math.max(0, text.indexOf(':')));
    return switch (kind) {
      case ShmNic.FABRIC -> ShmAddress.parse(text);
      case EtherAddress.KIND -> EtherAddress.parse(text);
      default -> UdpAddress.parse(text);
    };
  }
}

package io.busbar.fabric.survey;

import io.busbar.fabric.FabricException;
import io.busbar.fabric.NicEvents;
import io.busbar.fabric.ether.EtherConfig;
import io.busbar.fabric.ether.EtherNic;
import io.busbar.linux.Capabilities;
import io.busbar.linux.Capability;
import java.util.ArrayList;
import java.util.List;

/**
 * Tries raw Ethernet: a packet socket is opened at an interface. No program is attached to one:
 * that is done when somebody asks for it, and slows others down.
 */
final class RawTrial {
  private static final int NODE = 0;

  private RawTrial() {}

  /**
   * Tries a packet socket.
   *
   * @param devices interfaces that are on; the first that is an Ethernet is tried
   */
  static CarrierTrial packet(List<DeviceFound> devices) {
    List<String> refusals = new ArrayList<>();
    for (DeviceFound device : devices) {
      EtherConfig config = EtherConfig.packet(device.name(), NODE);
      try (EtherNic nic = new EtherNic(config, NicEvents.NONE)) {
        return new CarrierTrial(
            EtherNic.PACKET,
            true,
            "to nodes on the segment of %s, where it is faster than udp".formatted(device.name()),
            nic.frameBytesMax(EtherNic.EVERYONE),
            List.of(new CarrierTrial.Fact("address", nic.address().text())));
      } catch (FabricException e) {
        refusals.add(String.valueOf(e.getMessage()));
      }
    }
    return CarrierTrial.unusable(
        EtherNic.PACKET, refusals.isEmpty() ? "no interface is up" : String.join("; ", refusals));
  }

  /** Whether this process has the rights, where a packet socket can be had. */
  static CarrierTrial xdp(CarrierTrial packet) {
    Capabilities rights = Capabilities.effective();
    List<String> missing = new ArrayList<>();
    for (Capability needed :
        List.of(Capability.CAP_BPF, Capability.CAP_NET_ADMIN, Capability.CAP_NET_RAW)) {
      if (!rights.has(needed)) {
        missing.add(needed.name());
      }
    }
    if (!missing.isEmpty()) {
      return CarrierTrial.unusable(
          EtherNic.XDP, "this process lacks %s".formatted(String.join(", ", missing)));
    }
    return packet.usable()
        ? new CarrierTrial(
            EtherNic.XDP,
            true,
            "this process has the rights; used with --fabric xdp, never unasked: a program at an"
                + " interface slows other traffic down",
            packet.frameBytesMax(),
            List.of())
        : CarrierTrial.unusable(EtherNic.XDP, packet.verdict());
  }
}

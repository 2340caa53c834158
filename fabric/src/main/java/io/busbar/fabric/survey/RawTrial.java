package io.busbar.fabric.survey;

import io.busbar.linux.Capabilities;
import io.busbar.linux.Capability;
import io.busbar.linux.NativeSocket;
import io.busbar.linux.SystemCallException;
import java.util.ArrayList;
import java.util.List;

/** Raw Ethernet: Busbar has no carrier for it yet; whether this process could use one. */
final class RawTrial {
  private static final String NOT_YET = "Busbar has no carrier for it yet; ";

  private RawTrial() {}

  static CarrierTrial packet() {
    return CarrierTrial.unusable("packet", NOT_YET + "this process " + mayOpenPackets());
  }

  private static String mayOpenPackets() {
    try (NativeSocket socket = NativeSocket.packet()) {
      return "may open packet sockets (%s)".formatted(socket.descriptor().name());
    } catch (SystemCallException e) {
      return "may not open packet sockets either: " + e.getMessage();
    }
  }

  static CarrierTrial xdp() {
    Capabilities rights = Capabilities.effective();
    List<String> missing = new ArrayList<>();
    for (Capability needed :
        List.of(Capability.CAP_BPF, Capability.CAP_NET_ADMIN, Capability.CAP_NET_RAW)) {
      if (!rights.has(needed)) {
        missing.add(needed.name());
      }
    }
    return CarrierTrial.unusable(
        "xdp",
        NOT_YET
            + (missing.isEmpty()
                ? "this process has the rights that it takes"
                : "this process lacks " + String.join(", ", missing)));
  }
}

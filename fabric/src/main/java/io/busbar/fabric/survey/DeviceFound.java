package io.busbar.fabric.survey;

import io.busbar.linux.DeviceDriver;
import java.util.List;

/**
 * A network interface of this namespace.
 *
 * @param name its name
 * @param up whether it is on and connected
 * @param mtu its largest packet
 * @param frameBytesMax the longest frame of {@code udp} over IPv4
 * @param broadcast whether it knows a broadcast
 * @param multicast whether it knows groups
 * @param addresses its addresses, as text
 * @param driver what drives it, its queues, and the program that is attached
 */
public record DeviceFound(
    String name,
    boolean up,
    int mtu,
    int frameBytesMax,
    boolean broadcast,
    boolean multicast,
    List<String> addresses,
    DeviceDriver driver) {
  /** Copies the addresses. */
  public DeviceFound {
    addresses = List.copyOf(addresses);
  }
}

package io.busbar.fabric.udp;

import io.busbar.fabric.FabricException;
import io.busbar.linux.DeviceAddress;
import io.busbar.linux.NetworkDevice;
import io.busbar.linux.SystemCallException;
import java.util.Comparator;
import java.util.List;

/**
 * Where an interface stands: one address of this host, and the device that has it.
 *
 * @param address never that of no host, so that frames come from where their peers expect them
 * @param device its name; empty when no device has the address
 */
record Home(UdpAddress address, String device) {
  private static final String LOOPBACK = "lo";
  private static final long LOOPBACK_NET = 0x7F;

  static Home find(UdpConfig config) {
    String wanted = name(config.device());
    List<DeviceAddress> all =
        DeviceAddress.all().stream()
            .filter(found -> found.address().isIpv4() == config.bind().isIpv4())
            .toList();
    if (config.bind().isAny()) {
      return choose(config.bind(), wanted, all);
    }
    String device = wanted.isEmpty() ? holder(config.bind(), all) : wanted;
    return new Home(config.bind(), device);
  }

  /** A number becomes a name. */
  private static String name(String device) {
    try {
      if (device.matches("[0-9]{1,9}")) {
        int index = Integer.parseInt(device);
        return DeviceAddress.all().stream()
            .map(DeviceAddress::device)
            .filter(name -> NetworkDevice.of(name).index() == index)
            .findFirst()
            .orElseThrow(
                () -> new FabricException("no interface with an address has number " + device));
      }
      return device.isEmpty() ? device : NetworkDevice.of(device).name();
    } catch (SystemCallException | IllegalArgumentException e) {
      throw new FabricException("no such device: %s".formatted(e.getMessage()), e);
    }
  }

  /** What leads elsewhere goes before the loopback, what all links know before one link's own. */
  private static Home choose(UdpAddress bind, String device, List<DeviceAddress> all) {
    return all.stream()
        .filter(found -> device.isEmpty() ? found.isUp() : found.device().equals(device))
        .min(
            Comparator.comparing(DeviceAddress::isLoopback)
                .thenComparing(found -> !found.isRunning())
                .thenComparing(found -> of(found).address.isLinkLocal()))
        .map(Home::of)
        .map(home -> new Home(home.address.withPort(bind.port()), home.device))
        .orElseThrow(() -> nowhere(device, bind.isIpv4() ? "IPv4" : "IPv6"));
  }

  private static FabricException nowhere(String device, String family) {
    String what =
        device.isEmpty()
            ? "no interface that is up has an %s address".formatted(family)
            : "interface %s has no %s address".formatted(device, family);
    return new FabricException(what + " to bind to: compare with ip address");
  }

  /** The device's number; 0 without one. */
  int deviceIndex() {
    return device.isEmpty() ? 0 : NetworkDevice.of(device).index();
  }

  private static Home of(DeviceAddress found) {
    return new Home(UdpAddress.of(found.address()), found.device());
  }

  private static String holder(UdpAddress bind, List<DeviceAddress> all) {
    boolean loopback = bind.isIpv4() && (bind.low() >>> 24 & 0xFF) == LOOPBACK_NET;
    return all.stream()
        .map(Home::of)
        .filter(home -> home.address.isSameHost(bind))
        .map(Home::device)
        .findFirst()
        .orElse(loopback ? LOOPBACK : "");
  }
}

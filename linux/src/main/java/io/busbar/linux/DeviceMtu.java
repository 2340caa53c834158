package io.busbar.linux;

import static io.busbar.linux.SocketLayouts.IFREQ;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Looks at the MTU of one interface, again and again; each look is one system call. */
public final class DeviceMtu {
  private static final long MTU = Offsets.of(IFREQ, "ifr_ifru", "ifr_mtu");

  private final MemorySegment request;

  /** Of an interface, which need not be there now. */
  public DeviceMtu(String device) {
    this.request = NetworkDevice.request(device, Arena.ofAuto());
  }

  /** The MTU now, or a negated errno: {@code -ENODEV} when there is no such interface. */
  public int read(NativeSocket socket) {
    int number = socket.descriptor().number();
    int result = SocketCalls.ioctl(number, SocketNumbers.SIOCGIFMTU, request);
    return result < 0 ? result : request.get(JAVA_INT, MTU);
  }
}

package io.busbar.linux;

import static io.busbar.linux.SocketLayouts.IFREQ;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/**
 * A network interface as it was when it was looked at.
 *
 * @param name its name, {@code eth0}
 * @param index the kernel's number for it
 * @param mtu bytes of the largest packet, without the Ethernet header
 * @param hardwareAddress 48 bits; 0 for an interface without one
 * @param flags its state, {@code IFF_} of {@code linux/if.h}
 */
public record NetworkDevice(String name, int index, int mtu, long hardwareAddress, int flags) {
  private static final long NAME = Offsets.of(IFREQ, "ifr_name");
  private static final long INDEX = Offsets.of(IFREQ, "ifr_ifru", "ifr_ifindex");
  private static final long MTU = Offsets.of(IFREQ, "ifr_ifru", "ifr_mtu");
  private static final long FLAGS = Offsets.of(IFREQ, "ifr_ifru", "ifr_flags");

  private static final long HARDWARE =
      Offsets.of(IFREQ, "ifr_ifru", "ifr_hwaddr") + Offsets.of(SocketLayouts.SOCKADDR, "sa_data");

  /** Looks at an interface of this network namespace. */
  public static NetworkDevice of(String name) {
    try (NativeSocket socket = NativeSocket.udp4();
        Arena arena = Arena.ofConfined()) {
      int fd = socket.descriptor().number();
      MemorySegment request = request(name, arena);
      ask(fd, SocketNumbers.SIOCGIFINDEX, request, "index", name);
      int index = request.get(JAVA_INT, INDEX);
      ask(fd, SocketNumbers.SIOCGIFMTU, request, "MTU", name);
      int mtu = request.get(JAVA_INT, MTU);
      ask(fd, SocketNumbers.SIOCGIFHWADDR, request, "hardware address", name);
      long hardwareAddress = HardwareAddress.read(request, HARDWARE);
      ask(fd, SocketNumbers.SIOCGIFFLAGS, request, "flags", name);
      int flags = request.get(JAVA_SHORT, FLAGS) & 0xFFFF;
      return new NetworkDevice(name, index, mtu, hardwareAddress, flags);
    }
  }

  /** What the kernel is asked about an interface with. */
  static MemorySegment request(String name, Arena arena) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    if (bytes.length == 0 || bytes.length >= SocketNumbers.IFNAMSIZ) {
      throw new IllegalArgumentException(
          "an interface's name has 1 to %d bytes, and '%s' has %d"
              .formatted(SocketNumbers.IFNAMSIZ - 1, name, bytes.length));
    }
    MemorySegment request = arena.allocate(IFREQ);
    MemorySegment.copy(bytes, 0, request, JAVA_BYTE, NAME, bytes.length);
    return request;
  }

  private static void ask(int fd, int request, MemorySegment argument, String what, String name) {
    int result = SocketCalls.ioctl(fd, request, argument);
    if (result < 0) {
      String purpose = "find the %s of interface %s".formatted(what, name);
      throw new SystemCallException(purpose, "ioctl", -result);
    }
  }

  /** Whether it was switched on. */
  public boolean isUp() {
    return (flags & SocketNumbers.IFF_UP) != 0;
  }

  /** Whether it is on and its other end is there. */
  public boolean isRunning() {
    return (flags & SocketNumbers.IFF_RUNNING) != 0;
  }

  /** Whether it only leads back to this host. */
  public boolean isLoopback() {
    return (flags & SocketNumbers.IFF_LOOPBACK) != 0;
  }

  /** Whether it knows a broadcast. */
  public boolean canBroadcast() {
    return (flags & SocketNumbers.IFF_BROADCAST) != 0;
  }

  /** Whether it knows groups. */
  public boolean canMulticast() {
    return (flags & SocketNumbers.IFF_MULTICAST) != 0;
  }
}

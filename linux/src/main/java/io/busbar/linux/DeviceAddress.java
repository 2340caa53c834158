package io.busbar.linux;

import static io.busbar.linux.SocketLayouts.IFADDRS;
import static io.busbar.linux.SocketLayouts.SOCKADDR_IN;
import static io.busbar.linux.SocketLayouts.SOCKADDR_IN6;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * An IP address that a network interface has.
 *
 * @param device the interface's name
 * @param address the address; its port is 0
 * @param flags the interface's state, {@code IFF_} of {@code linux/if.h}
 */
public record DeviceAddress(String device, NativeAddress address, int flags) {
  private static final long NEXT = Offsets.of(IFADDRS, "ifa_next");
  private static final long NAME = Offsets.of(IFADDRS, "ifa_name");
  private static final long FLAGS = Offsets.of(IFADDRS, "ifa_flags");
  private static final long ADDRESS = Offsets.of(IFADDRS, "ifa_addr");

  /** All of this network namespace, in the order in which the kernel has them. */
  public static List<DeviceAddress> all() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment head = arena.allocate(JAVA_LONG);
      int result = SocketCalls.getifaddrs(head);
      if (result < 0) {
        throw new SystemCallException("list the addresses of interfaces", "getifaddrs", -result);
      }
      long list = head.get(JAVA_LONG, 0);
      try {
        return read(list);
      } finally {
        SocketCalls.freeifaddrs(list);
      }
    }
  }

  private static List<DeviceAddress> read(long list) {
    List<DeviceAddress> found = new ArrayList<>();
    for (long at = list; at != 0; ) {
      MemorySegment entry = memory(at, IFADDRS.byteSize());
      long address = entry.get(JAVA_LONG, ADDRESS);
      long bytes = address == 0 ? 0 : addressBytes(memory(address, JAVA_SHORT.byteSize()));
      if (bytes > 0) {
        NativeAddress copy = new NativeAddress();
        copy.copyFrom(memory(address, bytes), 0, (int) bytes);
        String name = memory(entry.get(JAVA_LONG, NAME), SocketNumbers.IFNAMSIZ).getString(0);
        found.add(new DeviceAddress(name, copy, entry.get(JAVA_INT, FLAGS)));
      }
      at = entry.get(JAVA_LONG, NEXT);
    }
    return List.copyOf(found);
  }

  /** 0 for what is no IP address. */
  private static long addressBytes(MemorySegment family) {
    return switch (family.get(JAVA_SHORT, 0)) {
      case SocketNumbers.AF_INET -> SOCKADDR_IN.byteSize();
      case SocketNumbers.AF_INET6 -> SOCKADDR_IN6.byteSize();
      default -> 0;
    };
  }

  private static MemorySegment memory(long address, long bytes) {
    return MemorySegment.ofAddress(address).reinterpret(bytes);
  }

  /** Whether the interface was switched on. */
  public boolean isUp() {
    return (flags & SocketNumbers.IFF_UP) != 0;
  }

  /** Whether the interface is on and its other end is there. */
  public boolean isRunning() {
    return (flags & SocketNumbers.IFF_RUNNING) != 0;
  }

  /** Whether the interface only leads back to this host. */
  public boolean isLoopback() {
    return (flags & SocketNumbers.IFF_LOOPBACK) != 0;
  }
}

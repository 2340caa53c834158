package io.busbar.linux;

import static io.busbar.linux.SocketLayouts.IFREQ;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/**
 * Looks at one interface again and again, in the network namespace of a socket, wherever the
 * calling thread is; each look is one system call.
 */
public final class DeviceWatch {
  private static final long INDEX = Offsets.of(IFREQ, "ifr_ifru", "ifr_ifindex");
  private static final long MTU = Offsets.of(IFREQ, "ifr_ifru", "ifr_mtu");

  private final MemorySegment request;

  /** For an interface, which need not be there now. */
  public DeviceWatch(String device) {
    this.request = NetworkDevice.request(device, Arena.ofAuto());
  }

  /** The MTU now, or a negated errno: {@code -ENODEV} when there is no such interface. */
  public int mtu(NativeSocket socket) {
    return ask(socket, SocketNumbers.SIOCGIFMTU, MTU);
  }

  /** The kernel's number now, or a negated errno; an interface that is made anew has another. */
  public int index(NativeSocket socket) {
    return ask(socket, SocketNumbers.SIOCGIFINDEX, INDEX);
  }

  /** What the interface with this number is called now; empty when there is none. */
  public static String name(NativeSocket socket, int index) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment question = arena.allocate(IFREQ);
      question.set(JAVA_INT, INDEX, index);
      int fd = socket.descriptor().number();
      int result = SocketCalls.ioctl(fd, SocketNumbers.SIOCGIFNAME, question);
      return result < 0 ? "" : question.getString(Offsets.of(IFREQ, "ifr_name"));
    }
  }

  private int ask(NativeSocket socket, int what, long answer) {
    int fd = socket.descriptor().number();
    try {
      int result = RareCalls.ioctl(fd, what, request.address());
      result = result < 0 ? SocketCalls.ioctl(fd, what, request) : result;
      return result < 0 ? result : request.get(JAVA_INT, answer);
    } finally {
      Reference.reachabilityFence(this);
    }
  }
}

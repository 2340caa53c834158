package io.busbar.linux;

import static io.busbar.linux.SocketNumbers.AF_INET;
import static io.busbar.linux.SocketNumbers.AF_INET6;
import static io.busbar.linux.SocketNumbers.AF_PACKET;
import static io.busbar.linux.SocketNumbers.AF_UNIX;
import static io.busbar.linux.SocketNumbers.IPPROTO_UDP;
import static io.busbar.linux.SocketNumbers.MSG_DONTWAIT;
import static io.busbar.linux.SocketNumbers.MSG_NOSIGNAL;
import static io.busbar.linux.SocketNumbers.MSG_ZEROCOPY;
import static io.busbar.linux.SocketNumbers.SHUT_RD;
import static io.busbar.linux.SocketNumbers.SHUT_RDWR;
import static io.busbar.linux.SocketNumbers.SHUT_WR;
import static io.busbar.linux.SocketNumbers.SOCK_CLOEXEC;
import static io.busbar.linux.SocketNumbers.SOCK_DGRAM;
import static io.busbar.linux.SocketNumbers.SOCK_NONBLOCK;
import static io.busbar.linux.SocketNumbers.SOCK_RAW;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/**
 * A datagram socket that never blocks. Sending and receiving return bytes or a negated {@link
 * Errno} and allocate nothing; {@link SendBatch} and {@link ReceiveBatch} move many datagrams in a
 * call. The other methods throw.
 */
public final class NativeSocket implements AutoCloseable {
  private static final int HOW_TO_SEND = MSG_DONTWAIT | MSG_NOSIGNAL;

  private final FileDescriptor fd;

  private NativeSocket(FileDescriptor fd) {
    this.fd = fd;
  }

  /** A UDP socket over IPv4. */
  public static NativeSocket udp4() {
    return open(AF_INET, SOCK_DGRAM, IPPROTO_UDP, "a UDP socket");
  }

  /** A UDP socket over IPv6. */
  public static NativeSocket udp6() {
    return open(AF_INET6, SOCK_DGRAM, IPPROTO_UDP, "a UDP socket (IPv6)");
  }

  /** A datagram socket between processes of this host; what is sent arrives, in order. */
  public static NativeSocket unix() {
    return open(AF_UNIX, SOCK_DGRAM, 0, "a Unix datagram socket");
  }

  /**
   * A socket for whole Ethernet frames; needs CAP_NET_RAW. It hears nothing before it is bound to
   * an interface and an EtherType.
   */
  public static NativeSocket packet() {
    return open(AF_PACKET, SOCK_RAW, 0, "a packet socket");
  }

  /** A socket for frames through rings. */
  static NativeSocket xdp() {
    return open(XdpNumbers.AF_XDP, SOCK_RAW, 0, "an AF_XDP socket");
  }

  /** A socket for questions about interfaces. */
  static NativeSocket route() {
    int family = DeviceNumbers.AF_NETLINK;
    return open(family, SOCK_RAW, DeviceNumbers.NETLINK_ROUTE, "a route socket");
  }

  private static NativeSocket open(int family, int type, int protocol, String name) {
    int result = SocketCalls.socket(family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, protocol);
    return new NativeSocket(FileDescriptor.of(result, name, "socket"));
  }

  /** The descriptor, which this socket owns. */
  public FileDescriptor descriptor() {
    return fd;
  }

  /** Takes a local address. */
  public void bind(NativeAddress address) {
    int result = SocketCalls.bind(fd.number(), address.segment(), address.length());
    check(result, "bind %s to %s", address, "bind");
  }

  /** Sends to this address and hears only it from now on. */
  public void connect(NativeAddress address) {
    int result = SocketCalls.connect(fd.number(), address.segment(), address.length());
    check(result, "connect %s to %s", address, "connect");
  }

  /** The local address. */
  public NativeAddress localAddress() {
    NativeAddress address = new NativeAddress();
    address.makeRoom();
    int result = SocketCalls.getsockname(fd.number(), address.segment(), address.lengthSegment());
    check(result, "find the address of %s%s", "", "getsockname");
    return address;
  }

  /** Sets an option. */
  public void set(SocketOption option, int value) {
    try (Arena arena = Arena.ofConfined()) {
      String what = option + "=" + value;
      setStructure(option.level, option.number, arena.allocateFrom(JAVA_INT, value), what);
    }
  }

  /** Sets an option whose value is a structure. */
  void setStructure(int level, int option, MemorySegment value, String what) {
    int length = (int) value.byteSize();
    int result = SocketCalls.setsockopt(fd.number(), level, option, value, length);
    check(result, "give %s the option %s", what, "setsockopt");
  }

  /** Reads an option whose value is a structure of at most this size. */
  void getStructure(int level, int option, MemorySegment into, String what) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment length = arena.allocateFrom(JAVA_INT, (int) into.byteSize());
      int result = SocketCalls.getsockopt(fd.number(), level, option, into, length);
      check(result, "read of %s the option %s", what, "getsockopt");
    }
  }

  /** Reads an option. */
  public int get(SocketOption option) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocate(JAVA_INT);
      MemorySegment length = arena.allocateFrom(JAVA_INT, (int) JAVA_INT.byteSize());
      int result = SocketCalls.getsockopt(fd.number(), option.level, option.number, value, length);
      check(result, "read of %s the option %s", option, "getsockopt");
      return value.get(JAVA_INT, 0);
    }
  }

  /**
   * What tells the socket's network namespace, in which it was opened, from all others; 0 when the
   * kernel does not know (before 5.14).
   */
  public long namespaceCookie() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocate(JAVA_LONG);
      MemorySegment length = arena.allocateFrom(JAVA_INT, (int) JAVA_LONG.byteSize());
      int option = SocketNumbers.SO_NETNS_COOKIE;
      int result =
          SocketCalls.getsockopt(fd.number(), SocketNumbers.SOL_SOCKET, option, value, length);
      if (result == -Errno.ENOPROTOOPT) {
        return 0;
      }
      check(result, "find the namespace of %s%s", "", "getsockopt");
      return value.get(JAVA_LONG, 0);
    }
  }

  /** Ends one or both directions: a datagram socket wakes who waits, and refuses to send. */
  public void shutdown(boolean receiving, boolean sending) {
    if (receiving || sending) {
      int how = receiving && sending ? SHUT_RDWR : receiving ? SHUT_RD : SHUT_WR;
      check(SocketCalls.shutdown(fd.number(), how), "shut %s%s", "", "shutdown");
    }
  }

  private void check(int result, String purpose, Object what, String call) {
    if (result < 0) {
      throw new SystemCallException(purpose.formatted(fd.name(), what), call, -result);
    }
  }

  /** Sends a datagram to the connected peer: bytes, or a negated errno. */
  public int send(MemorySegment from, long offset, long length) {
    long address = Native.address(from, offset, length);
    try {
      return HotCalls.send(fd.number(), address, length, HOW_TO_SEND);
    } finally {
      Reference.reachabilityFence(from);
    }
  }

  /**
   * Sends a datagram to the connected peer out of the caller's memory, which stays alive and
   * unchanged until {@link ZeroCopyNotices} names this send: bytes, or a negated errno, {@code
   * -ENOBUFS} when too many are on their way. The socket has {@link SocketOption#SO_ZEROCOPY}.
   */
  public int sendInPlace(MemorySegment from, long offset, long length) {
    long address = Native.address(from, offset, length);
    try {
      return HotCalls.send(fd.number(), address, length, HOW_TO_SEND | MSG_ZEROCOPY);
    } finally {
      Reference.reachabilityFence(from);
    }
  }

  /** Sends a datagram to an address: bytes, or a negated errno. */
  public int sendTo(MemorySegment from, long offset, long length, NativeAddress to) {
    long address = Native.address(from, offset, length);
    try {
      return HotCalls.sendto(fd.number(), address, length, HOW_TO_SEND, to.address(), to.length());
    } finally {
      Reference.reachabilityFence(from);
      Reference.reachabilityFence(to);
    }
  }

  /** Receives a datagram, cut to the length: bytes, or a negated errno, {@code -EAGAIN} if none. */
  public int receive(MemorySegment into, long offset, long length) {
    long address = Native.address(into, offset, length);
    try {
      return HotCalls.recv(fd.number(), address, length, MSG_DONTWAIT);
    } finally {
      Reference.reachabilityFence(into);
    }
  }

  /** As {@link #receive}, and says where it came from. */
  public int receiveFrom(MemorySegment into, long offset, long length, NativeAddress from) {
    long address = Native.address(into, offset, length);
    from.makeRoom();
    try {
      return HotCalls.recvfrom(
          fd.number(), address, length, MSG_DONTWAIT, from.address(), from.lengthAddress());
    } finally {
      Reference.reachabilityFence(into);
      Reference.reachabilityFence(from);
    }
  }

  /** Closes the socket. */
  @Override
  public void close() {
    fd.close();
  }

  @Override
  public String toString() {
    return fd.toString();
  }
}

package io.busbar.linux;

import static io.busbar.linux.SocketLayouts.NET_INT;
import static io.busbar.linux.SocketLayouts.NET_LONG;
import static io.busbar.linux.SocketLayouts.NET_SHORT;
import static io.busbar.linux.SocketLayouts.SOCKADDR_IN;
import static io.busbar.linux.SocketLayouts.SOCKADDR_IN6;
import static io.busbar.linux.SocketLayouts.SOCKADDR_LL;
import static io.busbar.linux.SocketLayouts.SOCKADDR_STORAGE;
import static io.busbar.linux.SocketLayouts.SOCKADDR_UN;
import static io.busbar.linux.SocketNumbers.AF_INET;
import static io.busbar.linux.SocketNumbers.AF_INET6;
import static io.busbar.linux.SocketNumbers.AF_PACKET;
import static io.busbar.linux.SocketNumbers.AF_UNIX;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/**
 * An address as the kernel writes it, with room for any family. It is filled again and again:
 * writing and reading allocate nothing, except for Unix paths and text.
 */
public final class NativeAddress {
  /** Room for any address. */
  static final int BYTES_MAX = (int) SOCKADDR_STORAGE.byteSize();

  private static final long FAMILY = Offsets.of(SOCKADDR_STORAGE, "ss_family");
  private static final long PORT4 = Offsets.of(SOCKADDR_IN, "sin_port");
  private static final long ADDRESS4 = Offsets.of(SOCKADDR_IN, "sin_addr");
  private static final long PORT6 = Offsets.of(SOCKADDR_IN6, "sin6_port");
  private static final long ADDRESS6 = Offsets.of(SOCKADDR_IN6, "sin6_addr");
  private static final long SCOPE6 = Offsets.of(SOCKADDR_IN6, "sin6_scope_id");
  private static final long PATH = Offsets.of(SOCKADDR_UN, "sun_path");
  private static final int PATH_BYTES = (int) (SOCKADDR_UN.byteSize() - PATH);
  private static final long PROTOCOL = Offsets.of(SOCKADDR_LL, "sll_protocol");
  private static final long INTERFACE = Offsets.of(SOCKADDR_LL, "sll_ifindex");
  private static final long HARDWARE_BYTES = Offsets.of(SOCKADDR_LL, "sll_halen");
  private static final long HARDWARE = Offsets.of(SOCKADDR_LL, "sll_addr");
  private static final int MAC_BYTES = 6;

  private final MemorySegment all = Arena.ofAuto().allocate(BYTES_MAX + 8L, 8);
  private final MemorySegment address = all.asSlice(0, BYTES_MAX);
  private final MemorySegment length = all.asSlice(BYTES_MAX, JAVA_INT);

  /** An address of no family, to be filled. */
  public NativeAddress() {}

  private NativeAddress start(int family, long bytes) {
    address.fill((byte) 0);
    address.set(JAVA_SHORT, FAMILY, (short) family);
    length.set(JAVA_INT, 0, (int) bytes);
    return this;
  }

  /** An IPv4 address, as one number with its first byte highest, and a port. */
  public NativeAddress ipv4(int ip, int port) {
    start(AF_INET, SOCKADDR_IN.byteSize());
    address.set(NET_SHORT, PORT4, (short) port);
    address.set(NET_INT, ADDRESS4, ip);
    return this;
  }

  /** An IPv6 address, as two numbers with the first byte highest, a port, an interface or 0. */
  public NativeAddress ipv6(long high, long low, int port, int scope) {
    start(AF_INET6, SOCKADDR_IN6.byteSize());
    address.set(NET_SHORT, PORT6, (short) port);
    address.set(NET_LONG, ADDRESS6, high);
    address.set(NET_LONG, ADDRESS6 + 8, low);
    address.set(JAVA_INT, SCOPE6, scope);
    return this;
  }

  /** A path of the file system; at most 107 bytes. */
  public NativeAddress unixPath(String path) {
    return unix(path + '\0', path);
  }

  /** A name without a file, seen in this network namespace only; at most 107 bytes. */
  public NativeAddress unixAbstract(String name) {
    return unix('\0' + name, name);
  }

  private NativeAddress unix(String bytes, String name) {
    byte[] path = bytes.getBytes(StandardCharsets.UTF_8);
    if (path.length > PATH_BYTES) {
      throw new IllegalArgumentException(
          "a Unix address has at most %d bytes, choose a shorter one than %s"
              .formatted(PATH_BYTES - 1, name));
    }
    start(AF_UNIX, PATH + path.length);
    MemorySegment.copy(path, 0, address, JAVA_BYTE, PATH, path.length);
    return this;
  }

  /** An interface, an EtherType, and the hardware address (48 bits) for sending. */
  public NativeAddress packet(int interfaceIndex, int etherType, long hardwareAddress) {
    start(AF_PACKET, SOCKADDR_LL.byteSize());
    address.set(NET_SHORT, PROTOCOL, (short) etherType);
    address.set(JAVA_INT, INTERFACE, interfaceIndex);
    address.set(JAVA_BYTE, HARDWARE_BYTES, (byte) MAC_BYTES);
    HardwareAddress.write(hardwareAddress, address, HARDWARE);
    return this;
  }

  /** Whether this is an IPv4 address. */
  public boolean isIpv4() {
    return family() == AF_INET;
  }

  /** Whether this is an IPv6 address. */
  public boolean isIpv6() {
    return family() == AF_INET6;
  }

  /** Whether this is an address of a packet socket. */
  public boolean isPacket() {
    return family() == AF_PACKET;
  }

  int family() {
    return length() == 0 ? SocketNumbers.AF_UNSPEC : address.get(JAVA_SHORT, FAMILY);
  }

  /** The IPv4 address, its first byte highest. */
  public int ipv4() {
    return address.get(NET_INT, ADDRESS4);
  }

  /** The first half of the IPv6 address. */
  public long ipv6High() {
    return address.get(NET_LONG, ADDRESS6);
  }

  /** The second half of the IPv6 address. */
  public long ipv6Low() {
    return address.get(NET_LONG, ADDRESS6 + 8);
  }

  /** The interface that an IPv6 link-local address is on. */
  public int ipv6Scope() {
    return address.get(JAVA_INT, SCOPE6);
  }

  /** The port of an IPv4 or IPv6 address. */
  public int port() {
    return address.get(NET_SHORT, PORT4) & 0xFFFF;
  }

  /** The interface of a packet address. */
  public int interfaceIndex() {
    return address.get(JAVA_INT, INTERFACE);
  }

  /** The EtherType of a packet address. */
  public int etherType() {
    return address.get(NET_SHORT, PROTOCOL) & 0xFFFF;
  }

  /** The hardware address (48 bits) of a packet address. */
  public long hardwareAddress() {
    return HardwareAddress.read(address, HARDWARE);
  }

  /** Bytes of the address. */
  int length() {
    return length.get(JAVA_INT, 0);
  }

  MemorySegment segment() {
    return address;
  }

  MemorySegment lengthSegment() {
    return length;
  }

  long address() {
    return address.address();
  }

  long lengthAddress() {
    return length.address();
  }

  /** Before the kernel writes an address here: there is room for any. */
  void makeRoom() {
    length.set(JAVA_INT, 0, BYTES_MAX);
  }

  /** Takes what the kernel wrote elsewhere. */
  void copyFrom(MemorySegment from, long offset, int bytes) {
    MemorySegment.copy(from, offset, address, 0, Math.min(bytes, BYTES_MAX));
    length.set(JAVA_INT, 0, Math.min(bytes, BYTES_MAX));
  }

  /** Whether this is what the kernel wrote elsewhere; compares words first. */
  boolean equals(MemorySegment from, long offset, int bytes) {
    if (bytes != length()) {
      return false;
    }
    int at = 0;
    for (; at <= bytes - 8; at += 8) {
      if (from.get(JAVA_LONG, offset + at) != address.get(JAVA_LONG, at)) {
        return false;
      }
    }
    for (; at < bytes; at++) {
      if (from.get(JAVA_BYTE, offset + at) != address.get(JAVA_BYTE, at)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    return AddressText.of(this);
  }
}

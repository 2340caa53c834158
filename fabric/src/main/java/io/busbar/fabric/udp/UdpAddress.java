package io.busbar.fabric.udp;

import io.busbar.fabric.NicAddress;
import io.busbar.linux.NativeAddress;

/**
 * An IP address and a port: {@code udp:10.0.0.1:7009} or {@code udp:[fd00::1]:7009}.
 *
 * @param high the first half of an IPv6 address; 0 for IPv4
 * @param low the second half; an IPv4 address behind {@code ffff}, as IPv6 maps it
 * @param port 0 to 65535; 0 where any will do
 * @param scope the interface's number for an IPv6 address that only one link knows, otherwise 0
 */
public record UdpAddress(long high, long low, int port, int scope) implements NicAddress {
  private static final String PREFIX = UdpNic.FABRIC + ":";
  private static final int PORT_MAX = 0xFFFF;
  private static final long MAPPED = 0xFFFFL;

  /** Any IPv4 address of this host, any port. */
  public static final UdpAddress ANY_IPV4 = ipv4(0, 0);

  /** Any IPv6 address of this host, any port. */
  public static final UdpAddress ANY_IPV6 = ipv6(0, 0, 0, 0);

  /** Refuses what no socket can have. */
  public UdpAddress {
    if (port < 0 || port > PORT_MAX) {
      throw new IllegalArgumentException("port %d; allowed: 0 to 65535".formatted(port));
    }
    if (scope < 0) {
      throw new IllegalArgumentException(
          "interface number %d; allowed: 0 and more".formatted(scope));
    }
    if (scope != 0 && isMapped(high, low)) {
      throw new IllegalArgumentException("an IPv4 address is not tied to an interface");
    }
  }

  private static boolean isMapped(long high, long low) {
    return high == 0 && low >>> 32 == MAPPED;
  }

  /** An IPv4 address, as one number with its first byte highest. */
  public static UdpAddress ipv4(int ip, int port) {
    return new UdpAddress(0, lowOf(ip), port, 0);
  }

  /** An IPv6 address, as two numbers with the first byte highest, and an interface or 0. */
  public static UdpAddress ipv6(long high, long low, int port, int scope) {
    return new UdpAddress(high, low, port, scope);
  }

  /** An IPv4 address as the second half of an IPv6 one. */
  static long lowOf(int ip) {
    return (MAPPED << 32) | Integer.toUnsignedLong(ip);
  }

  /**
   * Reads what {@link #text} writes; the carrier's name in front may be left out.
   *
   * @throws IllegalArgumentException saying what is wrong
   */
  public static UdpAddress parse(String text) {
    String place = text.startsWith(PREFIX) ? text.substring(PREFIX.length()) : text;
    int colon = place.lastIndexOf(':');
    if (colon < 0 || place.endsWith("]")) {
      throw wrong(text, "the port is missing");
    }
    int port = port(text, place.substring(colon + 1));
    String host = place.substring(0, colon);
    if (host.startsWith("[") && host.endsWith("]")) {
      return HostText.ipv6(text, host.substring(1, host.length() - 1), port);
    }
    if (host.indexOf(':') >= 0) {
      throw wrong(text, "an IPv6 address stands in brackets");
    }
    return HostText.ipv4(text, host, port);
  }

  private static int port(String text, String digits) {
    boolean number = digits.matches("[0-9]{1,5}");
    if (!number || Integer.parseInt(digits) > PORT_MAX) {
      throw wrong(text, "'%s' is no port from 0 to 65535".formatted(digits));
    }
    return Integer.parseInt(digits);
  }

  static IllegalArgumentException wrong(String text, String why) {
    return new IllegalArgumentException(
        "'%s' is no UDP address: %s; write udp:10.0.0.1:7009 or udp:[fd00::1]:7009"
            .formatted(text, why));
  }

  /** What the kernel wrote. */
  static UdpAddress of(NativeAddress address) {
    return address.isIpv4()
        ? ipv4(address.ipv4(), address.port())
        : ipv6(address.ipv6High(), address.ipv6Low(), address.port(), address.ipv6Scope());
  }

  /** Whether the kernel wrote this one. Allocates nothing. */
  boolean is(NativeAddress address) {
    boolean isHost =
        address.isIpv4()
            ? low == lowOf(address.ipv4()) && high == 0
            : low == address.ipv6Low() && high == address.ipv6High();
    return isHost && port == address.port();
  }

  /** As the kernel wants it. */
  NativeAddress toNative() {
    NativeAddress address = new NativeAddress();
    return isIpv4() ? address.ipv4((int) low, port) : address.ipv6(high, low, port, scope);
  }

  /** Whether it is an IPv4 address. */
  public boolean isIpv4() {
    return isMapped(high, low);
  }

  /** Whether it names no host: any address of this one. */
  public boolean isAny() {
    return isIpv4() ? (int) low == 0 : high == 0 && low == 0;
  }

  /** Whether it is a group. */
  public boolean isMulticast() {
    return isIpv4() ? (low >>> 28 & 0xF) == 0xE : high >>> 56 == 0xFF;
  }

  /** Whether it is an IPv6 address that only one link knows. */
  boolean isLinkLocal() {
    return !isIpv4() && high >>> 54 == 0x3FA;
  }

  /** Whether it means nothing without an interface: a group of one interface or one link. */
  private boolean needsScope() {
    long reach = high >>> 48 & 0xF;
    return !isIpv4() && isMulticast() && scope == 0 && (reach == 1 || reach == 2);
  }

  /** The same, tied to an interface if it has to be and is not yet. */
  UdpAddress on(int interfaceIndex) {
    return needsScope() ? new UdpAddress(high, low, port, interfaceIndex) : this;
  }

  /** Whether the host is the same, whatever the port. */
  boolean isSameHost(UdpAddress other) {
    return high == other.high && low == other.low && scope == other.scope;
  }

  /** The same host, another port. */
  public UdpAddress withPort(int otherPort) {
    return new UdpAddress(high, low, otherPort, scope);
  }

  @Override
  public String text() {
    return PREFIX + HostText.of(this) + ":" + port;
  }

  @Override
  public String toString() {
    return text();
  }
}

package io.busbar.fabric.udp;

import io.busbar.linux.NetworkDevice;
import io.busbar.linux.SystemCallException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/** IP addresses as people write them: dotted, and as RFC 5952 has them. */
final class HostText {
  private static final int GROUPS = 8;

  private HostText() {}

  static UdpAddress ipv4(String text, String host, int port) {
    if (!host.matches("(0|[1-9][0-9]{0,2})(\\.(0|[1-9][0-9]{0,2})){3}")) {
      throw UdpAddress.wrong(
          text, "'%s' is no IPv4 address, and names are not looked up".formatted(host));
    }
    int ip = 0;
    for (String part : host.split("\\.", -1)) {
      int number = Integer.parseInt(part);
      if (number > 0xFF) {
        throw UdpAddress.wrong(text, "%d is more than 255".formatted(number));
      }
      ip = (ip << 8) | number;
    }
    return UdpAddress.ipv4(ip, port);
  }

  /** The interface behind {@code %} is a name or a number. */
  static UdpAddress ipv6(String text, String host, int port) {
    int percent = host.indexOf('%');
    String literal = percent < 0 ? host : host.substring(0, percent);
    InetAddress address;
    try {
      address = Inet6Address.ofLiteral(literal);
    } catch (IllegalArgumentException e) {
      IllegalArgumentException wrong =
          UdpAddress.wrong(text, "'%s' is no IPv6 address".formatted(literal));
      wrong.initCause(e);
      throw wrong;
    }
    if (!(address instanceof Inet6Address)) {
      throw UdpAddress.wrong(text, "write an IPv4 address without brackets");
    }
    ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
    int scope = percent < 0 ? 0 : scope(text, host.substring(percent + 1));
    return UdpAddress.ipv6(bytes.getLong(), bytes.getLong(), port, scope);
  }

  private static int scope(String text, String device) {
    try {
      return device.matches("[0-9]{1,9}")
          ? Integer.parseInt(device)
          : NetworkDevice.of(device).index();
    } catch (IllegalArgumentException | SystemCallException e) {
      IllegalArgumentException wrong =
          UdpAddress.wrong(text, "there is no interface '%s' here".formatted(device));
      wrong.initCause(e);
      throw wrong;
    }
  }

  static String of(UdpAddress address) {
    if (address.isIpv4()) {
      int ip = (int) address.low();
      return "%d.%d.%d.%d".formatted(ip >>> 24, (ip >>> 16) & 0xFF, (ip >>> 8) & 0xFF, ip & 0xFF);
    }
    String scope = address.scope() == 0 ? "" : "%" + address.scope();
    return "[" + groups(address) + scope + "]";
  }

  /** The longest run of zeros, of two groups at least and the first of several, is left out. */
  private static String groups(UdpAddress address) {
    int start = GROUPS;
    int length = 1;
    for (int from = 0; from < GROUPS; from++) {
      int to = from;
      while (to < GROUPS && group(address, to) == 0) {
        to++;
      }
      if (to - from > length) {
        start = from;
        length = to - from;
      }
    }
    if (start == GROUPS) {
      return join(address, 0, GROUPS);
    }
    return join(address, 0, start) + "::" + join(address, start + length, GROUPS);
  }

  private static String join(UdpAddress address, int from, int to) {
    StringBuilder text = new StringBuilder();
    for (int i = from; i < to; i++) {
      text.append(i == from ? "" : ":").append(Integer.toHexString(group(address, i)));
    }
    return text.toString();
  }

  private static int group(UdpAddress address, int i) {
    long half = i < GROUPS / 2 ? address.high() : address.low();
    return (int) (half >>> (48 - 16 * (i % (GROUPS / 2)))) & 0xFFFF;
  }
}

package io.busbar.linux;

import static io.busbar.linux.SocketLayouts.SOCKADDR_UN;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.StringJoiner;

/** Addresses as people write them. */
final class AddressText {
  private static final long PATH = Offsets.of(SOCKADDR_UN, "sun_path");

  private AddressText() {}

  static String of(NativeAddress address) {
    return switch (address.family()) {
      case SocketNumbers.AF_INET -> ipv4(address.ipv4()) + ":" + address.port();
      case SocketNumbers.AF_INET6 -> ipv6(address);
      case SocketNumbers.AF_UNIX -> unix(address);
      case SocketNumbers.AF_PACKET ->
          "%s type 0x%04x on interface %d"
              .formatted(
                  HardwareAddress.text(address.hardwareAddress()),
                  address.etherType(),
                  address.interfaceIndex());
      default -> "no address";
    };
  }

  private static String ipv4(int ip) {
    return "%d.%d.%d.%d".formatted(ip >>> 24, (ip >>> 16) & 0xFF, (ip >>> 8) & 0xFF, ip & 0xFF);
  }

  private static String ipv6(NativeAddress address) {
    StringJoiner groups = new StringJoiner(":", "[", "]:" + address.port());
    for (int shift = 48; shift >= 0; shift -= 16) {
      groups.add(HexFormat.of().formatHex(group(address.ipv6High(), shift)));
    }
    for (int shift = 48; shift >= 0; shift -= 16) {
      groups.add(HexFormat.of().formatHex(group(address.ipv6Low(), shift)));
    }
    return groups.toString();
  }

  private static byte[] group(long half, int shift) {
    return new byte[] {(byte) (half >>> (shift + 8)), (byte) (half >>> shift)};
  }

  private static String unix(NativeAddress address) {
    int length = (int) Math.max(0, address.length() - PATH);
    byte[] path = new byte[length];
    MemorySegment.copy(address.segment(), JAVA_BYTE, PATH, path, 0, length);
    String text = new String(path, StandardCharsets.UTF_8);
    if (text.startsWith("\0")) {
      return "@" + text.substring(1);
    }
    int end = text.indexOf('\0');
    return end < 0 ? text : text.substring(0, end);
  }
}

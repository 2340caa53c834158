package io.busbar.node;

import io.busbar.fabric.NicAddress;
import io.busbar.fabric.udp.UdpAddress;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The net in which an address of this host is: datagrams to everyone do not leave it.
 *
 * @param home the address; null when it is none of IP
 * @param bits how much of it is that of its net; 0 when that cannot be told
 */
record OwnNet(@Nullable UdpAddress home, int bits) {
  private static final int IPV4_BITS = 32;
  private static final int BITS = 128;
  private static final long MAPPED = 0xFFFFL << IPV4_BITS;

  static OwnNet of(NicAddress own) {
    return own instanceof UdpAddress home
        ? new OwnNet(home, prefixBits(home))
        : new OwnNet(null, 0);
  }

  /** Whether one of a node's addresses is in it; true, too, when that cannot be told. */
  boolean hasOneOf(List<NicAddress> addresses) {
    UdpAddress own = home;
    return own == null
        || addresses.stream()
            .filter(UdpAddress.class::isInstance)
            .map(UdpAddress.class::cast)
            .anyMatch(other -> isSame(own, other, bits));
  }

  private static boolean isSame(UdpAddress one, UdpAddress other, int bits) {
    long high = (one.high() ^ other.high()) & mask(bits);
    long low = (one.low() ^ other.low()) & mask(bits - Long.SIZE);
    return high == 0 && low == 0;
  }

  private static long mask(int bits) {
    return bits <= 0 ? 0 : -1L << Math.max(0, Long.SIZE - bits);
  }

  private static int prefixBits(UdpAddress home) {
    try {
      for (NetworkInterface device : NetworkInterface.networkInterfaces().toList()) {
        for (InterfaceAddress found : device.getInterfaceAddresses()) {
          int bits = found.getNetworkPrefixLength();
          if (isAt(found.getAddress(), home)) {
            return home.isIpv4() ? BITS - IPV4_BITS + bits : bits;
          }
        }
      }
    } catch (SocketException e) {
      return 0; // it may have gone meanwhile
    }
    return 0;
  }

  private static boolean isAt(InetAddress address, UdpAddress home) {
    ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
    if (bytes.remaining() == Integer.BYTES) {
      return home.high() == 0 && home.low() == (MAPPED | Integer.toUnsignedLong(bytes.getInt()));
    }
    return home.high() == bytes.getLong() && home.low() == bytes.getLong();
  }
}

package io.busbar.bench.contest;

import io.busbar.fabric.udp.UdpAddress;
import io.busbar.fabric.udp.UdpConfig;
import io.busbar.fabric.udp.UdpNic;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/**
 * Where an end of a contender is.
 *
 * @param asks whether it is the end that asks, or the one that answers
 * @param host its IPv4 address
 * @param frameBytesMax the longest datagram
 * @param directory a folder in memory that both ends see
 */
record Place(boolean asks, String host, int frameBytesMax, String directory) {
  /** The interface that has the address. */
  String device() {
    return UdpNic.deviceOf(UdpConfig.builder().bind(UdpAddress.parse(host + ":0")).build());
  }

  /** The address as the kernel has it. */
  int ip() throws UnknownHostException {
    return ByteBuffer.wrap(InetAddress.getByName(host).getAddress()).getInt();
  }
}

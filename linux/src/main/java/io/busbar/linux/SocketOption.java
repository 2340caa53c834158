package io.busbar.linux;

import static io.busbar.linux.PacketNumbers.SOL_PACKET;
import static io.busbar.linux.SocketNumbers.IPPROTO_IP;
import static io.busbar.linux.SocketNumbers.IPPROTO_IPV6;
import static io.busbar.linux.SocketNumbers.IPPROTO_UDP;
import static io.busbar.linux.SocketNumbers.SOL_SOCKET;

/**
 * Options of sockets whose value is an int, with the kernel's names and numbers, from {@code
 * asm-generic/socket.h}, {@code linux/in.h}, {@code linux/in6.h}, {@code linux/udp.h} and {@code
 * linux/if_packet.h}.
 */
public enum SocketOption {
  /** An address of a closed socket may be bound again at once. */
  SO_REUSEADDR(SOL_SOCKET, 2),
  /** The error that waits for this socket; reading it clears it. */
  SO_ERROR(SOL_SOCKET, 4),
  /** Sending to broadcast addresses is allowed. */
  SO_BROADCAST(SOL_SOCKET, 6),
  /** Bytes of the send buffer; the kernel doubles what is set, up to net.core.wmem_max. */
  SO_SNDBUF(SOL_SOCKET, 7),
  /** Bytes of the receive buffer; the kernel doubles what is set, up to net.core.rmem_max. */
  SO_RCVBUF(SOL_SOCKET, 8),
  /** Priority of what is sent. */
  SO_PRIORITY(SOL_SOCKET, 12),
  /** Several sockets may bind one address; the kernel spreads what arrives among them. */
  SO_REUSEPORT(SOL_SOCKET, 15),
  /** As SO_SNDBUF without the upper limit; needs CAP_NET_ADMIN. */
  SO_SNDBUFFORCE(SOL_SOCKET, 32),
  /** As SO_RCVBUF without the upper limit; needs CAP_NET_ADMIN. */
  SO_RCVBUFFORCE(SOL_SOCKET, 33),
  /** The family that the socket was made for; can only be read. */
  SO_DOMAIN(SOL_SOCKET, 39),
  /** Whether a datagram tells how many had no room before it. */
  SO_RXQ_OVFL(SOL_SOCKET, SocketNumbers.SO_RXQ_OVFL),
  /** Microseconds for which an empty receive looks at the device itself. */
  SO_BUSY_POLL(SOL_SOCKET, 46),
  /** Prefer looking at the device to its interrupts. */
  SO_PREFER_BUSY_POLL(SOL_SOCKET, 69),
  /** Sends may use the caller's memory in place: see {@link ZeroCopyNotices}. */
  SO_ZEROCOPY(SOL_SOCKET, 60),
  /** Packets per look at the device. */
  SO_BUSY_POLL_BUDGET(SOL_SOCKET, 70),

  /** Type of service of what is sent. */
  IP_TOS(IPPROTO_IP, 1),
  /** How many routers a packet may pass. */
  IP_TTL(IPPROTO_IP, 2),
  /** Whether packets may be fragmented: one of the {@code PMTUDISC} values of this enum. */
  IP_MTU_DISCOVER(IPPROTO_IP, 10),
  /** The path's MTU as the kernel knows it; of a connected socket, can only be read. */
  IP_MTU(IPPROTO_IP, 14),
  /** How many routers a multicast may pass. */
  IP_MULTICAST_TTL(IPPROTO_IP, 33),
  /** Whether a multicast is heard on the sending host too. */
  IP_MULTICAST_LOOP(IPPROTO_IP, 34),
  /** Whether the socket hears groups that only others on this host have joined. */
  IP_MULTICAST_ALL(IPPROTO_IP, 49),

  /** How many routers a multicast may pass. */
  IPV6_MULTICAST_HOPS(IPPROTO_IPV6, 18),
  /** Whether a multicast is heard on the sending host too. */
  IPV6_MULTICAST_LOOP(IPPROTO_IPV6, 19),
  /** Whether packets may be fragmented: one of the {@code PMTUDISC} values of this enum. */
  IPV6_MTU_DISCOVER(IPPROTO_IPV6, 23),
  /** The path's MTU as the kernel knows it; of a connected socket, can only be read. */
  IPV6_MTU(IPPROTO_IPV6, 24),
  /** No IPv4 on this socket. */
  IPV6_V6ONLY(IPPROTO_IPV6, 26),

  /** Bytes of a segment into which what is sent is cut; 0 for none. */
  UDP_SEGMENT(IPPROTO_UDP, SocketNumbers.UDP_SEGMENT),
  /** Whether datagrams of one flow may arrive glued together. */
  UDP_GRO(IPPROTO_UDP, SocketNumbers.UDP_GRO),

  /** A packet socket's frames go straight to the device, past the queues of the interface. */
  PACKET_QDISC_BYPASS(SOL_PACKET, 20),
  /** A packet socket does not hear what this host sends. */
  PACKET_IGNORE_OUTGOING(SOL_PACKET, 23);

  /** For {@code MTU_DISCOVER}: fragment what is too large. */
  public static final int PMTUDISC_DONT = 0;

  /** For {@code MTU_DISCOVER}: never fragment; larger than the known path MTU is EMSGSIZE. */
  public static final int PMTUDISC_DO = 2;

  /** For {@code MTU_DISCOVER}: never fragment, and ignore what is known of the path. */
  public static final int PMTUDISC_PROBE = 3;

  final int level;
  final int number;

  SocketOption(int level, int number) {
    this.level = level;
    this.number = number;
  }
}

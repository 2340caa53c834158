package io.busbar.linux;

import static java.lang.foreign.MemoryLayout.paddingLayout;
import static java.lang.foreign.MemoryLayout.sequenceLayout;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.MemoryLayout.unionLayout;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The structures of sockets. A layout has the structure's name and its fields' names, and offsets
 * are taken from it; padding that the compiler adds is written out.
 */
final class SocketLayouts {
  /** Ports and protocols are in network order. */
  static final ValueLayout.OfShort NET_SHORT = JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);

  /** IPv4 addresses are in network order. */
  static final ValueLayout.OfInt NET_INT = JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN);

  /** IPv6 addresses, as two words in network order, stand on a multiple of four. */
  static final ValueLayout.OfLong NET_LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  /** What all addresses begin like, from {@code linux/socket.h}. */
  static final StructLayout SOCKADDR =
      structLayout(
              JAVA_SHORT.withName("sa_family"), sequenceLayout(14, JAVA_BYTE).withName("sa_data"))
          .withName("struct sockaddr");

  /** From {@code linux/in.h}. */
  static final StructLayout SOCKADDR_IN =
      structLayout(
              JAVA_SHORT.withName("sin_family"),
              NET_SHORT.withName("sin_port"),
              NET_INT.withName("sin_addr"),
              paddingLayout(8))
          .withName("struct sockaddr_in");

  /** From {@code linux/in6.h}. */
  static final StructLayout SOCKADDR_IN6 =
      structLayout(
              JAVA_SHORT.withName("sin6_family"),
              NET_SHORT.withName("sin6_port"),
              JAVA_INT.withName("sin6_flowinfo"),
              sequenceLayout(16, JAVA_BYTE).withName("sin6_addr"),
              JAVA_INT.withName("sin6_scope_id"))
          .withName("struct sockaddr_in6");

  /** From {@code linux/un.h}. */
  static final StructLayout SOCKADDR_UN =
      structLayout(
              JAVA_SHORT.withName("sun_family"),
              sequenceLayout(108, JAVA_BYTE).withName("sun_path"))
          .withName("struct sockaddr_un");

  /** From {@code linux/if_packet.h}. */
  static final StructLayout SOCKADDR_LL =
      structLayout(
              JAVA_SHORT.withName("sll_family"),
              NET_SHORT.withName("sll_protocol"),
              JAVA_INT.withName("sll_ifindex"),
              JAVA_SHORT.withName("sll_hatype"),
              JAVA_BYTE.withName("sll_pkttype"),
              JAVA_BYTE.withName("sll_halen"),
              sequenceLayout(8, JAVA_BYTE).withName("sll_addr"))
          .withName("struct sockaddr_ll");

  /** Room for any address, from {@code linux/socket.h}. */
  static final StructLayout SOCKADDR_STORAGE =
      structLayout(
              JAVA_SHORT.withName("ss_family"), paddingLayout(6), sequenceLayout(15, JAVA_LONG))
          .withName("struct sockaddr_storage");

  /** From {@code linux/in.h}. */
  static final StructLayout IP_MREQN =
      structLayout(
              NET_INT.withName("imr_multiaddr"),
              NET_INT.withName("imr_address"),
              JAVA_INT.withName("imr_ifindex"))
          .withName("struct ip_mreqn");

  /** From {@code linux/in6.h}. */
  static final StructLayout IPV6_MREQ =
      structLayout(
              sequenceLayout(16, JAVA_BYTE).withName("ipv6mr_multiaddr"),
              JAVA_INT.withName("ipv6mr_interface"))
          .withName("struct ipv6_mreq");

  /** From {@code linux/if.h}; the union's members that are used. */
  static final StructLayout IFREQ =
      structLayout(
              sequenceLayout(16, JAVA_BYTE).withName("ifr_name"),
              unionLayout(
                      sequenceLayout(16, JAVA_BYTE).withName("ifr_hwaddr"),
                      JAVA_SHORT.withName("ifr_flags"),
                      JAVA_INT.withName("ifr_ifindex"),
                      JAVA_INT.withName("ifr_mtu"),
                      sequenceLayout(3, JAVA_LONG))
                  .withName("ifr_ifru"))
          .withName("struct ifreq");

  /** From {@code ifaddrs.h}; addresses as numbers, the fields up to those that are used. */
  static final StructLayout IFADDRS =
      structLayout(
              JAVA_LONG.withName("ifa_next"),
              JAVA_LONG.withName("ifa_name"),
              JAVA_INT.withName("ifa_flags"),
              paddingLayout(4),
              JAVA_LONG.withName("ifa_addr"),
              sequenceLayout(3, JAVA_LONG))
          .withName("struct ifaddrs");

  /** From {@code linux/filter.h}. */
  static final StructLayout SOCK_FILTER =
      structLayout(
              JAVA_SHORT.withName("code"),
              JAVA_BYTE.withName("jt"),
              JAVA_BYTE.withName("jf"),
              JAVA_INT.withName("k"))
          .withName("struct sock_filter");

  /** From {@code linux/filter.h}. */
  static final StructLayout SOCK_FPROG =
      structLayout(JAVA_SHORT.withName("len"), paddingLayout(6), ADDRESS.withName("filter"))
          .withName("struct sock_fprog");

  private SocketLayouts() {}
}

package io.busbar.linux;

import static io.busbar.linux.SocketLayouts.IPV6_MREQ;
import static io.busbar.linux.SocketLayouts.IP_MREQN;
import static io.busbar.linux.SocketLayouts.NET_INT;
import static io.busbar.linux.SocketLayouts.NET_LONG;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Groups that a UDP socket hears, and the interface that its multicasts leave by. */
public final class Multicast {
  private static final long GROUP4 = Offsets.of(IP_MREQN, "imr_multiaddr");
  private static final long INDEX4 = Offsets.of(IP_MREQN, "imr_ifindex");
  private static final long GROUP6 = Offsets.of(IPV6_MREQ, "ipv6mr_multiaddr");
  private static final long INDEX6 = Offsets.of(IPV6_MREQ, "ipv6mr_interface");

  private Multicast() {}

  /** Hears a group on an interface. */
  public static void join(NativeSocket socket, NativeAddress group, int interfaceIndex) {
    member(
        socket,
        group,
        interfaceIndex,
        SocketNumbers.IP_ADD_MEMBERSHIP,
        SocketNumbers.IPV6_ADD_MEMBERSHIP,
        "join ");
  }

  /** Hears the group no more. */
  public static void leave(NativeSocket socket, NativeAddress group, int interfaceIndex) {
    member(
        socket,
        group,
        interfaceIndex,
        SocketNumbers.IP_DROP_MEMBERSHIP,
        SocketNumbers.IPV6_DROP_MEMBERSHIP,
        "leave ");
  }

  private static void member(
      NativeSocket socket, NativeAddress group, int index, int option4, int option6, String verb) {
    String what = verb + group + " on interface " + index;
    try (Arena arena = Arena.ofConfined()) {
      if (group.isIpv6()) {
        MemorySegment request = arena.allocate(IPV6_MREQ);
        request.set(NET_LONG, GROUP6, group.ipv6High());
        request.set(NET_LONG, GROUP6 + 8, group.ipv6Low());
        request.set(JAVA_INT, INDEX6, index);
        socket.setStructure(SocketNumbers.IPPROTO_IPV6, option6, request, what);
      } else {
        MemorySegment request = arena.allocate(IP_MREQN);
        request.set(NET_INT, GROUP4, group.ipv4());
        request.set(JAVA_INT, INDEX4, index);
        socket.setStructure(SocketNumbers.IPPROTO_IP, option4, request, what);
      }
    }
  }

  /** IPv4 multicasts leave by this interface. */
  public static void sendVia4(NativeSocket socket, int interfaceIndex) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment request = arena.allocate(IP_MREQN);
      request.set(JAVA_INT, INDEX4, interfaceIndex);
      socket.setStructure(
          SocketNumbers.IPPROTO_IP,
          SocketNumbers.IP_MULTICAST_IF,
          request,
          "IP_MULTICAST_IF=" + interfaceIndex);
    }
  }

  /** IPv6 multicasts leave by this interface. */
  public static void sendVia6(NativeSocket socket, int interfaceIndex) {
    try (Arena arena = Arena.ofConfined()) {
      socket.setStructure(
          SocketNumbers.IPPROTO_IPV6,
          SocketNumbers.IPV6_MULTICAST_IF,
          arena.allocateFrom(JAVA_INT, interfaceIndex),
          "IPV6_MULTICAST_IF=" + interfaceIndex);
    }
  }
}

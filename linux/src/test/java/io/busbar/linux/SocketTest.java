package io.busbar.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class SocketTest {
  private static final int LOOPBACK = 0x7F00_0001;
  private static final long SECOND_NS = 1_000_000_000;

  private final Arena arena = Arena.ofAuto();
  private final MemorySegment out = Patterns.of(arena, 2000, 1);
  private final MemorySegment in = arena.allocate(4000);

  private static NativeAddress any() {
    return new NativeAddress().ipv4(LOOPBACK, 0);
  }

  private static void awaitInput(NativeSocket socket) {
    PollSet set = new PollSet(1);
    set.add(socket.descriptor(), PollSet.IN);
    assertThat(set.await(SECOND_NS)).isEqualTo(1);
  }

  @Test
  void datagramOverIpv4() {
    try (NativeSocket one = NativeSocket.udp4();
        NativeSocket other = NativeSocket.udp4()) {
      one.bind(any());
      other.bind(any());
      NativeAddress from = new NativeAddress();
      assertThat(other.receive(in, 0, 100)).isEqualTo(-Errno.EAGAIN);
      assertThat(one.sendTo(out, 10, 1200, other.localAddress())).isEqualTo(1200);
      awaitInput(other);
      assertThat(other.receiveFrom(in, 5, 2000, from)).isEqualTo(1200);
      assertThat(in.asSlice(5, 1200).mismatch(out.asSlice(10, 1200))).isEqualTo(-1);
      assertThat(from.isIpv4()).isTrue();
      assertThat(from.ipv4()).isEqualTo(LOOPBACK);
      assertThat(from.port()).isEqualTo(one.localAddress().port()).isNotZero();
      assertThat(from).hasToString("127.0.0.1:" + from.port());
      other.connect(from);
      assertThat(other.send(out, 0, 1)).isEqualTo(1);
      awaitInput(one);
      assertThat(one.receive(in, 0, 100)).isEqualTo(1);
    }
  }

  @Test
  void datagramOverIpv6() {
    try (NativeSocket one = NativeSocket.udp6();
        NativeSocket other = NativeSocket.udp6()) {
      one.bind(new NativeAddress().ipv6(0, 1, 0, 0));
      other.bind(new NativeAddress().ipv6(0, 1, 0, 0));
      NativeAddress from = new NativeAddress();
      assertThat(one.sendTo(out, 0, 64, other.localAddress())).isEqualTo(64);
      awaitInput(other);
      assertThat(other.receiveFrom(in, 0, 2000, from)).isEqualTo(64);
      assertThat(from.isIpv6()).isTrue();
      assertThat(from.ipv6High()).isZero();
      assertThat(from.ipv6Low()).isEqualTo(1);
      assertThat(from.ipv6Scope()).isZero();
      assertThat(from).hasToString("[0000:0000:0000:0000:0000:0000:0000:0001]:" + from.port());
    }
  }

  @Test
  void nobodyListening() {
    try (NativeSocket socket = NativeSocket.udp4()) {
      NativeAddress gone;
      try (NativeSocket closed = NativeSocket.udp4()) {
        closed.bind(any());
        gone = closed.localAddress();
      }
      socket.connect(gone);
      assertThat(socket.send(out, 0, 1)).isEqualTo(1);
      assertThat(socket.get(SocketOption.SO_ERROR)).isEqualTo(Errno.ECONNREFUSED);
      assertThat(socket.get(SocketOption.SO_ERROR)).isZero();
    }
  }

  @Test
  void usedAddressIsExplained() {
    try (NativeSocket one = NativeSocket.udp4();
        NativeSocket other = NativeSocket.udp4()) {
      one.bind(any());
      NativeAddress used = one.localAddress();
      assertThatThrownBy(() -> other.bind(used))
          .hasMessage(
              "cannot bind a UDP socket to %s: bind: EADDRINUSE; choose another port or path, or"
                  + " stop the process that holds it",
              used);
      assertThatThrownBy(() -> other.bind(new NativeAddress().ipv4(0xC633_6401, 0)))
          .hasMessageStartingWith(
              "cannot bind a UDP socket to 198.51.100.1:0: bind: EADDRNOTAVAIL");
    }
  }

  @Test
  void optionsAreKept() {
    try (NativeSocket socket = NativeSocket.udp4()) {
      assertThat(socket.get(SocketOption.SO_DOMAIN)).isEqualTo(SocketNumbers.AF_INET);
      socket.set(SocketOption.SO_REUSEADDR, 1);
      assertThat(socket.get(SocketOption.SO_REUSEADDR)).isEqualTo(1);
      socket.set(SocketOption.SO_BROADCAST, 1);
      assertThat(socket.get(SocketOption.SO_BROADCAST)).isEqualTo(1);
      socket.set(SocketOption.IP_MTU_DISCOVER, SocketOption.PMTUDISC_DO);
      assertThat(socket.get(SocketOption.IP_MTU_DISCOVER)).isEqualTo(SocketOption.PMTUDISC_DO);
      socket.set(SocketOption.IP_MULTICAST_TTL, 3);
      assertThat(socket.get(SocketOption.IP_MULTICAST_TTL)).isEqualTo(3);
      socket.set(SocketOption.UDP_SEGMENT, 1200);
      assertThat(socket.get(SocketOption.UDP_SEGMENT)).isEqualTo(1200);
      assertThat(SocketBuffers.receive(socket, 100_000)).isBetween(90_000, 100_000);
      assertThat(SocketBuffers.send(socket, 100_000)).isBetween(90_000, 100_000);
      assertThatThrownBy(() -> socket.set(SocketOption.SO_DOMAIN, 1))
          .hasMessage(
              "cannot give a UDP socket the option SO_DOMAIN=1: setsockopt: ENOPROTOOPT; this"
                  + " kernel or this kind of socket does not know the option: do without");
    }
  }

  @Test
  void socketsOfOneNamespaceHaveOneCookie() {
    try (NativeSocket one = NativeSocket.udp4();
        NativeSocket other = NativeSocket.udp6()) {
      assertThat(one.namespaceCookie()).isNotZero().isEqualTo(other.namespaceCookie());
    }
  }

  @Test
  void busyPolling() {
    Needs.capability(Capability.CAP_NET_ADMIN);
    try (NativeSocket socket = NativeSocket.udp4()) {
      socket.set(SocketOption.SO_BUSY_POLL, 20);
      assertThat(socket.get(SocketOption.SO_BUSY_POLL)).isEqualTo(20);
      socket.set(SocketOption.SO_PREFER_BUSY_POLL, 1);
      assertThat(socket.get(SocketOption.SO_PREFER_BUSY_POLL)).isEqualTo(1);
      assertThat(SocketBuffers.receive(socket, 32 << 20)).isEqualTo(32 << 20);
    }
  }

  @Test
  void largerThanThePath() {
    try (NativeSocket socket = NativeSocket.udp4()) {
      socket.bind(any());
      MemorySegment huge = arena.allocate(70_000);
      assertThat(socket.sendTo(huge, 0, 70_000, socket.localAddress())).isEqualTo(-Errno.EMSGSIZE);
    }
  }

  @Test
  void multicastOverLoopback() {
    int lo = NetworkDevice.of("lo").index();
    NativeAddress group = new NativeAddress().ipv4(0xEFC0_1E01, 0);
    try (NativeSocket sender = NativeSocket.udp4();
        NativeSocket member = NativeSocket.udp4()) {
      member.bind(new NativeAddress().ipv4(0, 0));
      Multicast.join(member, group, lo);
      Multicast.sendVia4(sender, lo);
      sender.set(SocketOption.IP_MULTICAST_LOOP, 1);
      NativeAddress to = new NativeAddress().ipv4(group.ipv4(), member.localAddress().port());
      assertThat(sender.sendTo(out, 0, 99, to)).isEqualTo(99);
      awaitInput(member);
      assertThat(member.receive(in, 0, 2000)).isEqualTo(99);
      Multicast.leave(member, group, lo);
      assertThatThrownBy(() -> Multicast.leave(member, group, lo))
          .hasMessageContaining("leave 239.192.30.1:0 on interface " + lo)
          .hasMessageContaining("setsockopt: EADDRNOTAVAIL");
    }
  }

  @Test
  void filterLetsOnlyItsOwnPass() {
    try (NativeSocket socket = NativeSocket.udp4()) {
      socket.bind(any());
      NativeAddress self = socket.localAddress();
      int payload = 8;
      new SocketFilter()
          .loadLength()
          .jumpAtLeast(payload + 4, 0, 4)
          .loadByte(payload)
          .and(0xF0)
          .jumpEqual(0x50, 0, 1)
          .accept()
          .reject()
          .attach(socket);
      for (int first : new int[] {0x40, 0x51, 0x60}) {
        out.set(JAVA_BYTE, 0, (byte) first);
        assertThat(socket.sendTo(out, 0, 32, self)).isEqualTo(32);
      }
      assertThat(socket.sendTo(out, 0, 3, self)).isEqualTo(3);
      assertThat(socket.receive(in, 0, 100)).isEqualTo(32);
      assertThat(in.get(JAVA_BYTE, 0)).isEqualTo((byte) 0x51);
      assertThat(socket.receive(in, 0, 100)).isEqualTo(-Errno.EAGAIN);
      SocketFilter.detach(socket);
      assertThat(socket.sendTo(out, 0, 3, self)).isEqualTo(3);
      assertThat(socket.receive(in, 0, 100)).isEqualTo(3);
      assertThatThrownBy(() -> new SocketFilter().jumpEqual(1, 0, 0).attach(socket))
          .hasMessageContaining("SO_ATTACH_FILTER with 1 steps: setsockopt: EINVAL");
    }
  }

  @Test
  void closedAndShut() {
    NativeSocket socket = NativeSocket.udp4();
    socket.bind(any());
    socket.connect(socket.localAddress());
    socket.shutdown(false, true);
    assertThat(socket.send(out, 0, 1)).isEqualTo(-Errno.EPIPE);
    socket.close();
    assertThatThrownBy(() -> socket.send(out, 0, 1)).hasMessage("a UDP socket is closed");
  }
}

package io.busbar.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** Sends out of the caller's memory, and what the kernel says of them: on loopback, copied. */
class ZeroCopyNoticesTest {
  private static final int LOOPBACK = 0x7F00_0001;

  private static void hears(NativeSocket out, NativeSocket in) {
    out.connect(in.localAddress());
    out.set(SocketOption.SO_ZEROCOPY, 1);
    assertThat(out.get(SocketOption.SO_ZEROCOPY)).isEqualTo(1);
    ZeroCopyNotices notices = new ZeroCopyNotices(out);
    assertThat(notices.take()).isEqualTo(-Errno.EAGAIN);
    MemorySegment body = Patterns.of(Arena.ofAuto(), 20_000, 0);
    MemorySegment into = Arena.ofAuto().allocate(20_000);
    for (int i = 0; i < 3; i++) {
      assertThat(out.sendInPlace(body, 0, 20_000)).isEqualTo(20_000);
      assertThat(in.receive(into, 0, 20_000)).isEqualTo(20_000);
      assertThat(into.mismatch(body)).isEqualTo(-1);
    }
    int named = 0;
    while (notices.take() > 0) {
      assertThat(notices.isRange()).isTrue();
      assertThat(notices.first()).isEqualTo(named);
      assertThat(notices.wasCopied()).isTrue();
      named = notices.last() + 1;
    }
    assertThat(named).isEqualTo(3);
  }

  @Test
  void everySendIsNamedAndWasCopied() {
    try (NativeSocket out = NativeSocket.udp4();
        NativeSocket in = NativeSocket.udp4()) {
      in.bind(new NativeAddress().ipv4(LOOPBACK, 0));
      hears(out, in);
    }
  }

  private static NativeAddress nobody() {
    try (NativeSocket socket = NativeSocket.udp4()) {
      socket.bind(new NativeAddress().ipv4(LOOPBACK, 0));
      return socket.localAddress();
    }
  }

  /** A refused datagram is an error of the socket, and no notice. */
  @Test
  void anErrorOfTheNetworkIsNoNotice() {
    try (NativeSocket out = NativeSocket.udp4()) {
      out.connect(nobody());
      MemorySegment body = Patterns.of(Arena.ofAuto(), 64, 0);
      assertThat(out.send(body, 0, 64)).isEqualTo(64);
      ZeroCopyNotices notices = new ZeroCopyNotices(out);
      assertThat(notices.take()).isNegative();
      assertThat(notices.isRange()).isFalse();
    }
  }
}

package io.busbar.fabric.modes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.fabric.Nic;
import io.busbar.linux.NativeAddress;
import io.busbar.linux.NativeSocket;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** VIRTUAL over UDP: the memory is in use until the kernel says otherwise, and it says how. */
@Timeout(60)
class ZeroCopySendsTest {
  private static final int BYTES = 8192;

  @Test
  void loopbackCompletesAndAdmitsThatItCopied() {
    try (NativeSocket out = NativeSocket.udp4();
        NativeSocket in = NativeSocket.udp4();
        Arena arena = Arena.ofConfined()) {
      in.bind(new NativeAddress().ipv4(0x7F00_0001, 0));
      out.connect(in.localAddress());
      ZeroCopySends sends = new ZeroCopySends(out);
      MemorySegment from = arena.allocate(BYTES);
      MemorySegment into = arena.allocate(BYTES);
      for (int i = 1; i <= 3_000; i++) {
        Channel.fill(from, 0, 64, i);
        long ticket = sends.send(from, 0, BYTES);
        assertThat(ticket).isEqualTo(i);
        assertThat(sends.isReady(ticket)).isFalse();
        assertThat(in.receive(into, 0, BYTES)).isEqualTo(BYTES);
        Channel.check(into, 0, 64, i, "udp");
        assertThat(sends.poll()).isEqualTo(1);
        assertThat(sends.isReady(ticket)).isTrue();
        assertThat(sends.copied()).isEqualTo(i);
      }
      assertThat(sends.errors()).isZero();
    }
  }

  @Test
  void onesThatNobodyReceivesAreBounded() {
    try (NativeSocket out = NativeSocket.udp4();
        NativeSocket in = NativeSocket.udp4();
        Arena arena = Arena.ofConfined()) {
      in.bind(new NativeAddress().ipv4(0x7F00_0001, 0));
      out.connect(in.localAddress());
      ZeroCopySends sends = new ZeroCopySends(out);
      MemorySegment from = arena.allocate(BYTES);
      long last = 0;
      for (int i = 0; i < 5_000; i++) {
        long result = sends.send(from, 0, 64);
        assertThat(result).isNotEqualTo(Nic.GONE);
        last = Math.max(last, result);
      }
      int polled = sends.poll();
      assertThat(polled).isNotNegative();
      while (in.receive(from, 0, BYTES) > 0) {}
      polled += sends.poll();
      assertThat(sends.isReady(last)).isTrue();
      assertThat(polled).isPositive();
    }
  }

  @Test
  void badSendsAreRefused() {
    try (NativeSocket out = NativeSocket.udp4();
        Arena arena = Arena.ofConfined()) {
      out.bind(new NativeAddress().ipv4(0x7F00_0001, 0));
      ZeroCopySends unconnected = new ZeroCopySends(out);
      MemorySegment from = arena.allocate(100_000);
      assertThat(unconnected.send(from, 0, 8)).isEqualTo(Nic.GONE);
      out.connect(out.localAddress());
      assertThatThrownBy(() -> unconnected.send(from, 0, 0)).hasMessageContaining("at least 1");
      assertThatThrownBy(() -> unconnected.send(MemorySegment.ofArray(new byte[8]), 0, 8))
          .hasMessageContaining("native memory");
      assertThat(unconnected.send(from, 0, 100_000)).isEqualTo(Nic.TOO_LONG);
      assertThatThrownBy(() -> unconnected.isReady(1)).hasMessageContaining("no send returned");
    }
  }
}

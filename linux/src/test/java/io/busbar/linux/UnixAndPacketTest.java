package io.busbar.linux;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sockets without an IP address. */
class UnixAndPacketTest {
  private static final long SECOND_NS = 1_000_000_000;

  private final Arena arena = Arena.ofAuto();
  private final MemorySegment out = Patterns.of(arena, 8, 1);
  private final MemorySegment in = arena.allocate(2000);

  private static void awaitInput(NativeSocket socket) {
    PollSet set = new PollSet(1);
    set.add(socket.descriptor(), PollSet.IN);
    assertThat(set.await(SECOND_NS)).isEqualTo(1);
  }

  @Test
  void unixDoorbellByPath(@TempDir Path folder) {
    NativeAddress path = new NativeAddress().unixPath(folder.resolve("bell").toString());
    try (NativeSocket ringer = NativeSocket.unix()) {
      try (NativeSocket owner = NativeSocket.unix()) {
        owner.bind(path);
        assertThat(owner.localAddress()).hasToString(folder.resolve("bell").toString());
        ringer.connect(path);
        assertThat(ringer.send(out, 0, 1)).isEqualTo(1);
        awaitInput(owner);
        assertThat(owner.receive(in, 0, 8)).isEqualTo(1);
      }
      assertThat(ringer.send(out, 0, 1)).isEqualTo(-Errno.ECONNREFUSED);
    }
    try (NativeSocket late = NativeSocket.unix()) {
      assertThatThrownBy(() -> late.connect(path))
          .hasMessageEndingWith(
              "connect: ECONNREFUSED; nobody listens there: its owner has ended or not begun");
    }
    NativeAddress named = new NativeAddress().unixAbstract("busbar-" + ThisProcess.pid());
    assertThat(named).hasToString("@busbar-" + ThisProcess.pid());
    assertThatThrownBy(() -> named.unixPath("x".repeat(108)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at most 107 bytes");
  }

  @Test
  void frameOverLoopback() {
    Needs.capability(Capability.CAP_NET_RAW);
    int lo = NetworkDevice.of("lo").index();
    NativeAddress place = new NativeAddress().packet(lo, 0x88B5, 0);
    try (NativeSocket sender = NativeSocket.packet();
        NativeSocket receiver = NativeSocket.packet()) {
      receiver.bind(place);
      MemorySegment frame = arena.allocate(64);
      HardwareAddress.write(0x0200_0000_0001L, frame, 6);
      frame.set(SocketLayouts.NET_SHORT, 12, (short) 0x88B5);
      frame.set(JAVA_LONG, 16, 77);
      assertThat(sender.sendTo(frame, 0, 64, place)).isEqualTo(64);
      awaitInput(receiver);
      NativeAddress from = new NativeAddress();
      assertThat(receiver.receiveFrom(in, 0, 2000, from)).isEqualTo(64);
      assertThat(in.asSlice(0, 64).mismatch(frame)).isEqualTo(-1);
      assertThat(from.isPacket()).isTrue();
      assertThat(from.interfaceIndex()).isEqualTo(lo);
      assertThat(from.etherType()).isEqualTo(0x88B5);
      assertThat(from.hardwareAddress()).isEqualTo(0x0200_0000_0001L);
      assertThat(from).hasToString("02:00:00:00:00:01 type 0x88b5 on interface " + lo);
    }
  }
}

package io.busbar.fabric.modes;

import static io.busbar.fabric.modes.Channel.PAGE;

import io.busbar.linux.NativeAddress;
import io.busbar.linux.NativeSocket;
import io.busbar.testkit.AllocationMeter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** No way to send or to receive allocates on the heap, once it is compiled. */
@Timeout(120)
class ModesAllocationTest {
  private final AllocationMeter meter = new AllocationMeter();

  private static void check(boolean condition) {
    if (!condition) {
      throw new AssertionError("a message was refused or did not arrive");
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyWayToSend(SendMode mode) {
    try (Channel channel = new Channel()) {
      MemorySegment from = channel.from(mode);
      meter.assertAllocatesNothing(
          () -> {
            from.set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
            long ticket = channel.sender.send(mode, from, 0, PAGE);
            check(ticket >= 0);
            check(channel.receiver.skip());
            check(channel.sender.isReady(ticket));
          });
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyWayToReceive(ReceiveMode mode) {
    try (Channel channel = new Channel()) {
      SendMode out = mode == ReceiveMode.VIRTUAL ? SendMode.VIRTUAL : SendMode.COPY;
      MemorySegment from = channel.from(out);
      MemorySegment into = channel.into(mode);
      meter.assertAllocatesNothing(
          () -> {
            check(channel.sender.send(out, from, 0, PAGE) >= 0);
            check(channel.receiver.receive(mode, into, 0, PAGE) == PAGE);
            long ticket = channel.receiver.post(mode, into, 0, PAGE);
            check(channel.sender.send(out, from, 0, PAGE) >= 0);
            check(channel.receiver.poll() == 1 && channel.receiver.bytes(ticket) == PAGE);
            check(channel.sender.send(out, from, 0, PAGE) >= 0);
            check(channel.receiver.borrow() == PAGE);
            channel.receiver.giveBack();
          });
    }
  }

  @Test
  void zeroCopySends() {
    try (NativeSocket socket = NativeSocket.udp4()) {
      socket.bind(new NativeAddress().ipv4(0x7F00_0001, 0));
      socket.connect(socket.localAddress());
      ZeroCopySends sends = new ZeroCopySends(socket);
      MemorySegment memory = Arena.ofAuto().allocate(2048);
      meter.assertAllocatesNothing(
          () -> {
            long ticket = sends.send(memory, 0, 1024);
            check(ticket > 0);
            check(socket.receive(memory, 1024, 1024) == 1024);
            check(sends.poll() == 1 && sends.isReady(ticket));
          });
    }
  }
}

package io.busbar.linux;

import io.busbar.testkit.AllocationMeter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** Calls on the data path allocate nothing once they are compiled. */
class AllocationTest {
  private static final int LOOPBACK = 0x7F00_0001;

  private final AllocationMeter meter = new AllocationMeter();
  private final Arena arena = Arena.ofAuto();
  private final MemorySegment body = Patterns.of(arena, 256, 0);
  private final MemorySegment into = arena.allocate(8L * 256);

  private static void check(boolean condition) {
    if (!condition) {
      throw new AssertionError("a call failed");
    }
  }

  private static NativeSocket bound() {
    NativeSocket socket = NativeSocket.udp4();
    socket.bind(new NativeAddress().ipv4(LOOPBACK, 0));
    return socket;
  }

  @Test
  void singleDatagrams() throws Exception {
    try (NativeSocket socket = bound()) {
      NativeAddress self = socket.localAddress();
      NativeAddress from = new NativeAddress();
      meter.assertAllocatesNothing(
          () -> {
            check(socket.sendTo(body, 0, 64, self) == 64);
            check(socket.receiveFrom(into, 0, 256, from) == 64);
            check(from.port() == self.port());
          });
      socket.connect(self);
      meter.assertAllocatesNothing(
          () -> {
            check(socket.send(body, 1, 64) == 64);
            check(socket.receive(into, 1, 200) == 64);
            check(socket.receive(into, 0, 256) == -Errno.EAGAIN);
          });
    }
  }

  @Test
  void batches() throws Exception {
    try (NativeSocket socket = bound()) {
      NativeAddress self = socket.localAddress();
      NativeAddress from = new NativeAddress();
      SendBatch batch = new SendBatch(4, 2);
      ReceiveBatch arrived = new ReceiveBatch(8);
      for (int i = 0; i < 8; i++) {
        arrived.slot(i, into, i * 256L, 256);
      }
      meter.assertAllocatesNothing(
          () -> {
            batch.clear();
            batch.message(self).part(body, 0, 32).part(body, 64, 32);
            batch.message(self).part(body, 0, 128).segmentBytes(64);
            check(batch.send(socket) == 2);
            arrived.slot(0, into, 0, 256);
            check(arrived.receive(socket, 8) == 3);
            check(arrived.bytes(2) == 64 && arrived.segmentBytes(2) == 64);
            arrived.from(0, from);
            check(from.ipv4() == LOOPBACK);
          });
    }
  }

  @Test
  void doorbells() throws Exception {
    Fifo.Pair pair = Fifo.pair();
    try (EventFd bell = new EventFd();
        TimerFd alarm = new TimerFd();
        Fifo reader = pair.reader();
        Fifo ringer = pair.ringer()) {
      PollSet set = new PollSet(2);
      set.add(bell.descriptor(), PollSet.IN);
      set.add(reader.descriptor(), PollSet.IN);
      meter.assertAllocatesNothing(
          () -> {
            alarm.set(1_000_000_000);
            alarm.unset();
            bell.ring();
            check(ringer.ring() == 1);
            check(set.await(-1) == 2);
            check(set.ready(0) == PollSet.IN);
            check(bell.take() == 1);
            check(reader.take() == 1);
            check(set.await(0) == 0);
          });
    }
  }

  @Test
  void barriersAndForeignMemory() throws Exception {
    Needs.that(Membarrier.isSupported(), "a kernel with membarrier");
    Membarrier.registerGlobal();
    ProcessMemory self = new ProcessMemory(ThisProcess.pid());
    meter.assertAllocatesNothing(
        () -> {
          Membarrier.global();
          ThisProcess.offerProcessor();
          check(self.read(body.address(), into, 0, 256) == 256);
        });
  }
}

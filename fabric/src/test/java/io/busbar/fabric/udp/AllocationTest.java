package io.busbar.fabric.udp;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.busbar.fabric.FrameReceiver;
import io.busbar.fabric.Nic;
import io.busbar.testkit.AllocationMeter;
import io.busbar.wire.FrameBuilder;
import io.busbar.wire.Seal;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sending and receiving allocate nothing once they are compiled. */
class AllocationTest {
  private final AllocationMeter meter = new AllocationMeter();
  private final Ends ends = new Ends();
  private final UdpNic left = ends.left;
  private final UdpNic right = ends.right;
  private int heard;

  @AfterEach
  void close() {
    ends.close();
  }

  private static void check(boolean condition) {
    if (!condition) {
      throw new AssertionError("a call failed");
    }
  }

  private void receive(FrameReceiver receiver, int count) {
    heard = 0;
    while (heard < count) {
      int _ = right.poll(receiver, 64);
    }
  }

  @Test
  void loneFramesAndTheirAnswers() {
    FrameReceiver echo =
        (peer, memory, offset, length, frame) -> {
          check(right.transmit(peer, memory, offset, length) == Nic.DONE);
          check(right.flush() == 0);
          heard++;
        };
    FrameReceiver counter = (peer, memory, offset, length, frame) -> heard++;
    meter.assertAllocatesNothing(
        () -> {
          long at = left.reserve(ends.toRight, 64);
          left.transmitMemory().set(JAVA_BYTE, at, (byte) 1);
          left.commit(64);
          check(left.flush() == 0);
          receive(echo, 1);
          heard = 0;
          while (heard < 1) {
            int _ = left.poll(counter, 64);
          }
          check(left.poll(counter, 64) == 0);
        });
  }

  @Test
  void runsInPlaceAndClaims() {
    MemorySegment body = Arena.ofAuto().allocate(300);
    left.register(body);
    FrameBuilder builder = new FrameBuilder(Arena.ofAuto().allocate(4096), false, Seal.NONE);
    FrameReceiver claimer =
        (peer, memory, offset, length, frame) -> {
          check(right.claim(frame));
          right.release(frame);
          heard++;
        };
    meter.assertAllocatesNothing(
        () -> {
          for (int i = 0; i < 4; i++) {
            builder.begin();
            builder.bytes(body, 0, 300);
            builder.finish(1, 2, 3, 4, 5, 6, 7, 8, 0);
            check(left.transmit(ends.toRight, builder) > 0);
          }
          check(left.transmit(ends.toRight, body, 0, 100) == Nic.DONE);
          check(left.flush() == 0);
          receive(claimer, 5);
        });
  }

  @Test
  void refusals() {
    meter.assertAllocatesNothing(
        () -> {
          check(left.reserve(ends.toRight, 70_000) == Nic.TOO_LONG);
          check(left.reserve(77, 10) == Nic.GONE);
        });
  }

  /** Paths are looked at once in thousands of sleeps. */
  @Test
  void sleeps() {
    meter.assertAllocatesHardly(
        () -> {
          check(left.arm());
          left.disarm();
        });
  }
}

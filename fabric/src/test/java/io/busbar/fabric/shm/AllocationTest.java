package io.busbar.fabric.shm;

import io.busbar.fabric.FrameReceiver;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicEvents;
import io.busbar.linux.PollSet;
import io.busbar.memory.Role;
import io.busbar.testkit.AllocationMeter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** No way that a frame takes allocates on the heap, once it is compiled. */
@Timeout(120)
class AllocationTest {
  private final AllocationMeter meter = new AllocationMeter();
  private final Folder folder = new Folder();
  private final ShmNic a = new ShmNic(Station.config(folder), NicEvents.NONE);
  private final ShmNic b = new ShmNic(Station.config(folder), NicEvents.NONE);
  private final ShmNic c = new ShmNic(Station.config(folder), NicEvents.NONE);
  private final int toB = a.open(b.address());
  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory = arena.allocate(20_000);
  private int arrived;
  private final FrameReceiver receiver = (peer, from, offset, length, frame) -> arrived++;

  /** Keeps each frame until the next one. */
  private final class Keeper implements FrameReceiver {
    private long kept = Nic.UNCLAIMABLE;

    @Override
    public void onFrame(int peer, MemorySegment from, long offset, int length, long frame) {
      if (kept != Nic.UNCLAIMABLE) {
        b.release(kept);
      }
      check(b.claim(frame));
      kept = frame;
      arrived++;
    }
  }

  @AfterEach
  void close() {
    try (arena;
        a;
        b;
        c) {
      arrived = 0;
    }
    folder.close();
  }

  private static void check(boolean condition) {
    if (!condition) {
      throw new AssertionError("a frame was refused or did not arrive");
    }
  }

  private void arrives(ShmNic at) {
    a.flush();
    int before = arrived;
    at.poll(receiver, 10);
    check(arrived == before + 1);
  }

  @Test
  void inline() {
    meter.assertAllocatesNothing(
        () -> {
          long at = a.reserve(toB, 64);
          check(at >= 0);
          a.commit(60);
          arrives(b);
        });
  }

  @Test
  void given() {
    Keeper keeper = new Keeper();
    meter.assertAllocatesNothing(
        () -> {
          check(a.transmit(toB, memory, 0, 5000) == Nic.DONE);
          arrives(b);
          long handle = a.pool().allocate(5000, Role.APPLICATION);
          check(a.transfer(toB, handle, Role.APPLICATION, 5000) == Nic.DONE);
          int before = arrived;
          b.poll(keeper, 10);
          check(arrived == before + 1);
        });
  }

  @Test
  void lent() {
    a.open(c.address());
    meter.assertAllocatesNothing(
        () -> {
          check(a.transmit(Nic.EVERYONE, memory, 0, 3000) == Nic.DONE);
          check(a.transmit(Nic.EVERYONE, memory, 0, 40) == Nic.DONE);
          a.flush();
          int before = arrived;
          for (int i = 0; i < 2; i++) {
            b.poll(receiver, 10);
            c.poll(receiver, 10);
          }
          check(arrived == before + 4);
        });
  }

  @Test
  void across() {
    a.register(memory);
    check(a.transmit(toB, memory, 0, 8) == Nic.DONE);
    arrives(b);
    meter.assertAllocatesNothing(
        () -> {
          long ticket = a.transmit(toB, memory, 0, 20_000);
          check(ticket > 0 && !a.isComplete(ticket));
          arrives(b);
          check(a.isComplete(ticket));
        });
  }

  @Test
  void refusalsAndSleep() {
    check(a.transmit(toB, memory, 0, 8) == Nic.DONE);
    arrives(b);
    PollSet set = new PollSet(8);
    b.listen(set);
    while (a.transmit(toB, memory, 0, 20) == Nic.DONE) {
      a.flush();
    }
    meter.assertAllocatesNothing(() -> check(a.transmit(toB, memory, 0, 20) == Nic.FULL));
    b.poll(receiver, 1000);
    meter.assertAllocatesNothing(
        () -> {
          check(b.arm());
          check(a.transmit(toB, memory, 0, 20) == Nic.DONE);
          a.flush();
          check(set.await(-1) == 1);
          b.disarm();
          int before = arrived;
          b.poll(receiver, 10);
          check(arrived == before + 1);
        });
  }
}

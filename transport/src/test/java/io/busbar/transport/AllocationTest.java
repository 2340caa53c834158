package io.busbar.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.testkit.AllocationMeter;
import io.busbar.wire.FrameBuilder;
import io.busbar.wire.Records;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** In steady state no frame costs an allocation, whichever way the bytes go. */
class AllocationTest {
  private static final int FRAMES = 100_000;
  private static final int SLOTS = 4_096;
  private static final int SLOT_BYTES = 2_048;

  /** A carrier that allocates nothing: slots that are used again. */
  private static final class Ring implements FrameSink {
    private final MemorySegment slots = Arena.ofAuto().allocate((long) SLOTS * SLOT_BYTES);
    private final int[] lengths = new int[SLOTS];
    private int head;
    private int tail;

    @Override
    public boolean transmit(int peer, FrameBuilder frame) {
      if (tail - head == SLOTS) {
        return false;
      }
      int slot = tail++ & SLOTS - 1;
      lengths[slot] = frame.frameBytes();
      frame.copyTo(slots, (long) slot * SLOT_BYTES);
      return true;
    }

    void deliver(Transport to, long nowNs, FrameSink reply) {
      while (head != tail) {
        int slot = head++ & SLOTS - 1;
        to.onFrame(nowNs, slots, (long) slot * SLOT_BYTES, lengths[slot], slot, reply);
      }
    }
  }

  /** A user that consumes everything, and writes nothing down. */
  private static final class User extends QuietUser {
    final Transport transport;
    long nowNs;
    long accepted;
    long released;

    User(int node) {
      transport = new Transport(TransportConfig.defaults(node, node), this);
    }

    @Override
    public void onAccepted(long association, int context, Offer offer) {
      accepted = association;
    }

    @Override
    public void onBytes(
        long association, MemorySegment segment, long at, int length, boolean endOfMessage) {
      transport.consumed(nowNs, association, length);
    }

    @Override
    public void onReleased(long association, long token, Release how) {
      released++;
    }
  }

  private final AllocationMeter meter = new AllocationMeter();
  private final User a = new User(1);
  private final User b = new User(2);
  private final Ring toB = new Ring();
  private final Ring toA = new Ring();
  private final MemorySegment payload = End.pattern(64_000, 1);
  private long nowNs;
  private long association;

  private void step() {
    nowNs += 10_000;
    a.nowNs = nowNs;
    b.nowNs = nowNs;
    toB.deliver(b.transport, nowNs, toA);
    toA.deliver(a.transport, nowNs, toB);
    a.transport.poll(nowNs, toB);
    b.transport.poll(nowNs, toA);
  }

  private void open() {
    b.transport.listen(Criteria.port(7, 80));
    association = a.transport.open(nowNs, 2, 7, Service.STREAM, 1, 80, 0, 0);
    for (int i = 0; i < 100; i++) {
      step();
    }
  }

  private static long framesOut(User user) {
    return user.transport.counters().get(Count.DATA_OUT);
  }

  private void stream() {
    long until = framesOut(a) + FRAMES;
    while (framesOut(a) < until) {
      while (a.transport.trySend(nowNs, association, payload, 0, 64_000, 1, true)) {
        // until the queue is full
      }
      step();
    }
  }

  private void smallRecords() {
    long header = Records.header(Records.WHOLE, 0, 5, 100);
    long until = framesOut(a) + FRAMES / 10;
    while (framesOut(a) < until) {
      for (int i = 0; i < 20; i++) {
        a.transport.trySendRecord(nowNs, association, header, payload, 0, 1);
      }
      step();
    }
  }

  private void pingPong() {
    long until = framesOut(a) + FRAMES / 10;
    while (framesOut(a) < until) {
      a.transport.trySend(nowNs, association, payload, 0, 64, 1, true);
      b.transport.trySend(nowNs, b.accepted, payload, 0, 64, 1, true);
      for (int i = 0; i < 5; i++) {
        step();
      }
    }
  }

  @Test
  void aStreamOneWay() {
    open();
    meter.assertLoopAllocatesNothing(this::stream);
    assertThat(a.released).isPositive();
    assertThat(a.transport.counters().get(Count.TIMEOUTS)).isZero();
  }

  @Test
  void smallRecordsThatShareFrames() {
    open();
    meter.assertLoopAllocatesNothing(this::smallRecords);
  }

  @Test
  void pingPongThatAttachesAndDetachesItsState() {
    open();
    meter.assertLoopAllocatesNothing(this::pingPong);
  }
}

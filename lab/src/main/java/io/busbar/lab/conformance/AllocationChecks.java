package io.busbar.lab.conformance;

import com.sun.management.ThreadMXBean;
import io.busbar.fabric.FrameReceiver;
import io.busbar.wire.FrameBuilder;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;

/** What a frame costs the garbage collector: nothing. */
final class AllocationChecks {
  private static final int FRAMES = 100_000;
  private static final int WARM_UP = 20_000;
  private static final int WINDOW = 8;
  private static final int BYTES = 64;

  /** Compilation in the middle of a round may allocate; a path that allocates does so in each. */
  private static final int ATTEMPTS = 5;

  /** Far less than a small object a frame. */
  private static final long BYTES_MAX = 4096;

  private static final FrameReceiver QUIET = (peer, memory, offset, length, frame) -> {};

  private final Trial t;
  private final Station from;
  private final Station to;
  private final int peer;
  private final MemorySegment bytes;
  private final FrameBuilder frame;
  private final ThreadMXBean meter = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private long sending;
  private long receiving;

  private AllocationChecks(Trial t) {
    this.t = t;
    Station[] stations = t.connected(2);
    from = stations[0];
    to = stations[1];
    peer = from.peer(to);
    bytes = from.scratch(BYTES);
    frame = SendingChecks.frame(bytes, BYTES);
  }

  static void noAllocation(Trial t) {
    AllocationChecks checks = new AllocationChecks(t);
    checks.run(WARM_UP);
    if (!t.rig().whyItAllocates().isBlank()) {
      return;
    }
    long leastSending = Long.MAX_VALUE;
    long leastReceiving = Long.MAX_VALUE;
    for (int i = 0; i < ATTEMPTS && Math.max(leastSending, leastReceiving) > BYTES_MAX; i++) {
      checks.run(FRAMES);
      leastSending = Math.min(leastSending, checks.sending);
      leastReceiving = Math.min(leastReceiving, checks.receiving);
    }
    t.require(
        leastSending <= BYTES_MAX,
        "%d frames were sent and %d bytes allocated",
        FRAMES,
        leastSending);
    t.require(
        leastReceiving <= BYTES_MAX,
        "%d frames were received and %d bytes allocated",
        FRAMES,
        leastReceiving);
  }

  /** Frames in small windows, in all three ways of sending. */
  private void run(int frames) {
    sending = 0;
    receiving = 0;
    for (int sent = 0; sent < frames; sent += WINDOW) {
      long before = meter.getCurrentThreadAllocatedBytes();
      int taken = 0;
      for (int i = 0; i < WINDOW; i++) {
        taken += send(i) ? 1 : 0;
      }
      from.nic.flush();
      sending += meter.getCurrentThreadAllocatedBytes() - before;
      t.require(taken == WINDOW, "%d of %d frames were taken by an idle line", taken, WINDOW);
      receive();
    }
  }

  private boolean send(int way) {
    if (way % 3 == 0) {
      return from.nic.transmit(peer, bytes, 0, BYTES) >= 0;
    }
    if (way % 3 == 1) {
      return from.nic.transmit(peer, frame) >= 0;
    }
    if (from.nic.reserve(peer, BYTES) < 0) {
      return false;
    }
    from.nic.commit(BYTES);
    return true;
  }

  private void receive() {
    int came = 0;
    for (int idle = 0; came < WINDOW && idle < 2000; idle++) {
      long before = meter.getCurrentThreadAllocatedBytes();
      int count = to.poll(QUIET, WINDOW);
      from.nic.poll(QUIET, WINDOW);
      receiving += meter.getCurrentThreadAllocatedBytes() - before;
      came += count;
      if (came < WINDOW) {
        t.settle();
      }
    }
    t.require(came == WINDOW, "of %d frames %d came", WINDOW, came);
  }
}

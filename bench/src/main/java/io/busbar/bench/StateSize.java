package io.busbar.bench;

import io.busbar.lab.QuietUpcalls;
import io.busbar.transport.Criteria;
import io.busbar.transport.FrameSink;
import io.busbar.transport.Service;
import io.busbar.transport.Transport;
import io.busbar.transport.TransportConfig;
import io.busbar.wire.FrameBuilder;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;

/**
 * What associations cost in memory: many of them between two transports, the heap before, after.
 */
final class StateSize {
  private static final int BATCH = 512;
  private static final int MESSAGE_BYTES = 1024;

  private final int count;
  private final Transport a;
  private final Transport b;
  private final long[] handles;
  private final Pipe toA = new Pipe();
  private final Pipe toB = new Pipe();
  private final long heapBefore;
  private long nowNs = 1;

  StateSize(int count) {
    this.count = count;
    handles = new long[count];
    a = new Transport(config(1), new QuietUpcalls());
    b = new Transport(config(2), new QuietUpcalls());
    b.listen(Criteria.port(1, 1));
    open(0, Math.min(BATCH, count));
    heapBefore = heapBytes();
  }

  private TransportConfig config(int node) {
    return TransportConfig.builder(node, node).associationsMax(count).build();
  }

  private void open(int from, int to) {
    for (int i = from; i < to; i++) {
      handles[i] = a.open(nowNs, 2, 1, Service.STREAM, 0, 1, 0, 0);
    }
    settle();
  }

  private void settle() {
    for (int i = 0; i < 100; i++) {
      nowNs += 10_000;
      a.poll(nowNs, toB);
      toB.deliver(b, toA);
      b.poll(nowNs, toA);
      toA.deliver(a, toB);
    }
  }

  /** Opens them all; returns bytes per end of an association at rest. */
  double idleBytes() {
    for (int i = BATCH; i < count; i += BATCH) {
      open(i, Math.min(i + BATCH, count));
    }
    nowNs += 1_000_000_000L;
    settle();
    int parts = a.busyParts() + b.busyParts();
    if (parts != 0) {
      throw new IllegalStateException(parts + " associations are not at rest");
    }
    return (double) (heapBytes() - heapBefore) / (2L * (count - BATCH));
  }

  /** Gives each a message whose answer never comes; returns bytes per association more. */
  double activeBytes() {
    long before = heapBytes();
    MemorySegment message = MemorySegment.ofArray(new byte[MESSAGE_BYTES]);
    for (long handle : handles) {
      a.trySend(nowNs, handle, message, 0, MESSAGE_BYTES, 0, true);
    }
    return (double) (heapBytes() - before) / count;
  }

  static long heapBytes() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private final class Pipe implements FrameSink {
    private final ArrayDeque<byte[]> frames = new ArrayDeque<>();

    @Override
    public boolean transmit(int peer, FrameBuilder frame) {
      byte[] bytes = new byte[frame.frameBytes()];
      frame.copyTo(MemorySegment.ofArray(bytes), 0);
      frames.add(bytes);
      return true;
    }

    void deliver(Transport to, FrameSink reply) {
      while (!frames.isEmpty()) {
        byte[] bytes = frames.poll();
        to.onFrame(nowNs, MemorySegment.ofArray(bytes), 0, bytes.length, -1, reply);
      }
    }
  }
}

package io.busbar.bench;

import io.busbar.lab.QuietUpcalls;
import io.busbar.transport.Count;
import io.busbar.transport.Criteria;
import io.busbar.transport.FrameSink;
import io.busbar.transport.Release;
import io.busbar.transport.Service;
import io.busbar.transport.Transport;
import io.busbar.transport.TransportConfig;
import io.busbar.wire.FrameBuilder;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Two transports on one thread, without a network: each frame is copied once into a buffer, as a
 * carrier would, and handed to the other end. Time is counted, not read.
 */
final class BackToBack {
  private static final int SLOTS = 64;

  private final MemorySegment message;
  private final Wire toB = new Wire();
  private final Wire toA = new Wire();
  private final Sender sender = new Sender();
  private final Transport a;
  private final Transport b;
  private final int payload;
  private final long association;
  private long nowNs;

  BackToBack(int payload) {
    this.payload = payload;
    message = Arena.ofAuto().allocate(payload);
    a = new Transport(config(1), sender);
    b = new Transport(config(2), new Receiver());
    b.listen(Criteria.port(1, 1));
    association = a.open(0, 2, 1, Service.STREAM, 0, 1, 0, 0);
  }

  private static TransportConfig config(int node) {
    return TransportConfig.builder(node, node).frameBytesMax(1500).build();
  }

  /** Data frames that have crossed since the beginning. */
  long frames() {
    return a.counters().get(Count.DATA_OUT);
  }

  /** Moves at least so many data frames; returns how many. */
  long move(int atLeast) {
    long before = frames();
    while (frames() - before < atLeast) {
      step();
    }
    return frames() - before;
  }

  private void step() {
    nowNs += 1_000;
    while (sender.outstanding < 256) {
      if (!a.trySend(nowNs, association, message, 0, payload, 0, true)) {
        break;
      }
      sender.outstanding++;
    }
    a.poll(nowNs, toB);
    toB.deliver(b, toA);
    b.poll(nowNs, toA);
    toA.deliver(a, toB);
  }

  /** Frames on their way: slots of one piece of memory. */
  private final class Wire implements FrameSink {
    private final MemorySegment memory = Arena.ofAuto().allocate(SLOTS * 2048L);
    private final int[] lengths = new int[SLOTS];
    private int count;

    @Override
    public boolean transmit(int peer, FrameBuilder frame) {
      if (count == SLOTS) {
        return false;
      }
      frame.copyTo(memory, count * 2048L);
      lengths[count++] = frame.frameBytes();
      return true;
    }

    void deliver(Transport to, FrameSink reply) {
      int all = count;
      count = 0;
      for (int i = 0; i < all; i++) {
        to.onFrame(nowNs, memory, i * 2048L, lengths[i], -1, reply);
      }
    }
  }

  private static final class Sender extends QuietUpcalls {
    int outstanding;

    @Override
    public void onReleased(long association, long token, Release how) {
      outstanding--;
    }
  }

  private final class Receiver extends QuietUpcalls {
    @Override
    public void onBytes(
        long association, MemorySegment segment, long at, int length, boolean endOfMessage) {
      b.consumed(nowNs, association, length);
    }
  }
}

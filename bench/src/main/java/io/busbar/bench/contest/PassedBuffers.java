package io.busbar.bench.contest;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.busbar.fabric.FrameReceiver;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicEvents;
import io.busbar.fabric.shm.ShmAddress;
import io.busbar.fabric.shm.ShmConfig;
import io.busbar.fabric.shm.ShmNic;
import io.busbar.memory.PoolLayout;
import io.busbar.memory.Role;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Busbar, passing a buffer by changing its owner. The answer is one byte, after the receiver has
 * left the buffer untouched, or has read all of it.
 */
final class PassedBuffers implements Contender {
  /** A buffer is one block: more blocks would take a few nanoseconds each to allocate. */
  private static final int BLOCK_BYTES = 1 << 20;

  private static final int POOL_BYTES = 32 << 20;

  private final Nic nic;
  private final boolean reads;
  private final FrameReceiver receiver = this::onFrame;
  private final MemorySegment one = Arena.ofAuto().allocate(1);
  private int peer;
  private long arrived;

  /** Kept, so that the reading is not left out. */
  private long sum;

  PassedBuffers(String directory, boolean reads) {
    this.reads = reads;
    this.nic =
        new ShmNic(
            ShmConfig.defaults().in(directory).with(PoolLayout.of(POOL_BYTES, BLOCK_BYTES)),
            NicEvents.NONE);
  }

  @Override
  public String address() {
    return nic.address().text();
  }

  @Override
  public void connect(String other) {
    peer = nic.open(ShmAddress.parse(other));
  }

  private void onFrame(int from, MemorySegment memory, long offset, int length, long frame) {
    if (reads && length > 1) {
      long all = 0;
      for (long i = 0; i < length; i += Long.BYTES) {
        all += memory.get(JAVA_LONG, offset + i);
      }
      sum += all;
    }
    arrived++;
  }

  private void receive() {
    for (long until = arrived + 1; arrived < until; ) {
      if (nic.poll(receiver, 1) == 0) {
        Thread.onSpinWait();
      }
    }
  }

  @Override
  public void ask(int bytes, int count, long[] roundTripsNs) {
    for (int i = 0; i < count; i++) {
      long start = System.nanoTime();
      long buffer = nic.pool().allocate(bytes, Role.APPLICATION);
      while (!Nic.isTicket(nic.transfer(peer, buffer, Role.APPLICATION, bytes))) {
        Thread.onSpinWait();
      }
      nic.flush();
      receive();
      roundTripsNs[i] = System.nanoTime() - start;
    }
  }

  @Override
  public void answer(int bytes, int count) {
    for (int i = 0; i < count; i++) {
      receive();
      while (!Nic.isTicket(nic.transmit(peer, one, 0, 1))) {
        Thread.onSpinWait();
      }
      nic.flush();
    }
  }

  @Override
  public void close() {
    nic.close();
  }

  @Override
  public String toString() {
    return "passed buffers, sum " + sum;
  }
}

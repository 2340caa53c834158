package io.busbar.lab.conformance;

import io.busbar.fabric.FrameReceiver;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicCapability;
import io.busbar.fabric.NicCount;
import io.busbar.memory.OwnershipException;
import io.busbar.memory.Pool;
import io.busbar.memory.Role;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Buffers that change their owner instead of being copied. */
final class OwnershipChecks {
  private static final int ROUNDS = 2000;
  private static final int BUFFERS_MAX = 100_000;

  private final Trial t;
  private final Station from;
  private final Station to;
  private final Pool pool;
  private final int most;
  private final int freeBlocks;

  private OwnershipChecks(Trial t, Station from, Station to) {
    this.t = t;
    this.from = from;
    this.to = to;
    pool = from.nic.pool();
    most = Math.min(from.nic.frameBytesMax(from.peer(to)), 8192);
    freeBlocks = pool.freeBlocks();
    to.listens = false;
  }

  static void ownership(Trial t) {
    Station[] stations = t.connected(2);
    Station from = stations[0];
    if (!from.can(NicCapability.OWNERSHIP)) {
      t.requireRefused(
          "a transfer, which is not announced",
          () -> from.nic.transfer(from.peer(stations[1]), 0, Role.APPLICATION, 64),
          UnsupportedOperationException.class);
      t.requireRefused(
          "a pool, which is not announced", from.nic::pool, UnsupportedOperationException.class);
      return;
    }
    t.exchange(from, stations[1], 64);
    t.exchange(stations[1], from, 64);
    OwnershipChecks checks = new OwnershipChecks(t, from, stations[1]);
    checks.comesAndGoesBack();
    checks.claimed();
    checks.refused();
    checks.allBack();
  }

  /** A buffer with a probe in it; its handle, or {@link Pool#NONE}. */
  private long buffer(int length, long number) {
    long handle = pool.allocate(length, Role.APPLICATION);
    if (handle != Pool.NONE) {
      MemorySegment bytes = pool.segment(handle, Role.APPLICATION);
      Probe.fill(bytes, 0, length, from.index, number);
    }
    return handle;
  }

  private long give(int length, long number) {
    long handle = buffer(length, number);
    t.require(handle != Pool.NONE, "the pool is empty: buffers that were read do not come back");
    int peer = from.peer(to);
    long result = t.taken(() -> from.nic.transfer(peer, handle, Role.APPLICATION, length));
    t.require(result == Nic.DONE, "a transfer gave a ticket, %d", result);
    return handle;
  }

  private void receive(FrameReceiver receiver) {
    int[] count = new int[1];
    t.await(() -> (count[0] += to.poll(receiver, 1)) > 0, "a buffer given away never came");
  }

  private void requireProbe(MemorySegment memory, long offset, int length, long number) {
    t.require(
        Probe.matches(memory, offset, length, from.index, number),
        "a buffer given away came with other bytes");
  }

  private void comesAndGoesBack() {
    long inPlace = from.counted(NicCount.IN_PLACE);
    for (int i = 0; i < ROUNDS; i++) {
      int length = Math.max(t.rig().frameBytesMin(), most - i % most);
      long number = t.nextNumber();
      long handle = give(length, number);
      t.requireRefused(
          "a look at a buffer that was given away",
          () -> pool.offset(handle, Role.APPLICATION),
          OwnershipException.class);
      t.requireRefused(
          "a second transfer of a buffer",
          () -> from.nic.transfer(from.peer(to), handle, Role.APPLICATION, length),
          OwnershipException.class);
      receive(
          (peer, memory, offset, bytes, frame) -> {
            t.require(
                bytes == length && peer == to.peer(from),
                "%d bytes given away came as %d from peer %d",
                length,
                bytes,
                peer);
            requireProbe(memory, offset, bytes, number);
          });
    }
    t.require(
        from.counted(NicCount.IN_PLACE) - inPlace == ROUNDS,
        "%d buffers were given away, %d are counted as in place",
        ROUNDS,
        from.counted(NicCount.IN_PLACE) - inPlace);
    allBack();
  }

  /** A buffer that is claimed does not come back until it is released. */
  private void claimed() {
    long number = t.nextNumber();
    give(most, number);
    List<Runnable> stillThere = new ArrayList<>();
    long[] claim = new long[1];
    receive(
        (peer, memory, offset, length, frame) -> {
          t.require(to.nic.claim(frame), "a buffer that was given away cannot be claimed");
          claim[0] = frame;
          stillThere.add(() -> requireProbe(memory, offset, length, number));
        });
    List<Long> others = new ArrayList<>();
    long next = buffer(most, t.nextNumber());
    while (next != Pool.NONE && others.size() < BUFFERS_MAX) {
      others.add(next);
      next = buffer(most, t.nextNumber());
    }
    stillThere.forEach(Runnable::run);
    others.forEach(handle -> pool.free(handle, Role.APPLICATION));
    t.require(pool.freeBlocks() < freeBlocks, "a claimed buffer was freed");
    to.nic.release(claim[0]);
    allBack();
  }

  /** A refused transfer leaves the buffer to its owner. */
  private void refused() {
    int peer = from.peer(to);
    int tooMuch = from.nic.frameBytesMax(peer) + 1;
    long handle = buffer(most, 0);
    t.requireRefused(
        "a transfer of more bytes than a frame or the buffer has",
        () -> {
          if (from.nic.transfer(peer, handle, Role.APPLICATION, tooMuch) == Nic.TOO_LONG) {
            throw new IllegalArgumentException("too long");
          }
        },
        IllegalArgumentException.class);
    pool.free(handle, Role.APPLICATION);
    int given = 0;
    long left = Pool.NONE;
    while (left == Pool.NONE && given < BUFFERS_MAX) {
      long next = buffer(64, given);
      if (next == Pool.NONE) {
        break;
      }
      long result = from.nic.transfer(peer, next, Role.APPLICATION, 64);
      t.require(result == Nic.DONE || result == Nic.FULL, "a transfer gave %d", result);
      left = result == Nic.FULL ? next : Pool.NONE;
      given += result == Nic.DONE ? 1 : 0;
    }
    if (left != Pool.NONE) {
      requireProbe(pool.segment(left, Role.APPLICATION), 0, 64, given);
      pool.free(left, Role.APPLICATION);
    }
    int[] came = new int[1];
    int all = given;
    t.await(
        () ->
            (came[0] +=
                    to.poll(
                        (p, memory, offset, length, frame) ->
                            requireProbe(memory, offset, length, Probe.number(memory, offset)),
                        16))
                == all,
        "of %d buffers given away not all came",
        all);
    from.nic.close(peer);
    long last = buffer(64, 0);
    long result = from.nic.transfer(peer, last, Role.APPLICATION, 64);
    t.require(result == Nic.GONE, "a transfer to a peer that is gone gave %d", result);
    pool.free(last, Role.APPLICATION);
  }

  private void allBack() {
    t.await(
        () -> {
          to.poll((peer, memory, offset, length, frame) -> {}, 16);
          pool.drain();
          return pool.freeBlocks() == freeBlocks;
        },
        "of %d blocks that were free not all came back",
        freeBlocks);
  }
}

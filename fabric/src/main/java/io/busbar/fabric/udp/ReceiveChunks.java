package io.busbar.fabric.udp;

import io.busbar.fabric.NicCount;
import io.busbar.fabric.NicCounters;
import io.busbar.linux.Mapping;
import io.busbar.linux.ReceiveBatch;
import java.lang.foreign.MemorySegment;

/**
 * The memory that datagrams arrive in, in chunks: one in each slot of the receiving call, and as
 * many spare ones as may be claimed. A chunk with claims leaves its slot to a spare one, and comes
 * back when the last claim is released; the one that came last is used first, while it is warm.
 *
 * <p>The name of a frame is its chunk and the chunk's generation, which moves on whenever its bytes
 * may be overwritten: an old name opens nothing.
 */
final class ReceiveChunks implements AutoCloseable {
  private final Mapping mapping;
  private final MemorySegment memory;
  private final ReceiveBatch batch;
  private final NicCounters counters;
  private final int chunkBytes;
  private final int claimsMax;
  private final int[] slots;
  private final int[] spares;
  private final int[] claims;
  private final int[] generations;
  private final boolean[] away;
  private int spareCount;
  private int claimed;

  ReceiveChunks(UdpConfig config, ReceiveBatch batch, NicCounters counters) {
    this.batch = batch;
    this.counters = counters;
    this.chunkBytes = config.chunkBytes();
    this.claimsMax = config.claimsMax();
    int count = config.chunks() + claimsMax;
    this.mapping = Mapping.anonymous((long) count * chunkBytes);
    this.memory = mapping.segment();
    this.slots = new int[config.chunks()];
    this.spares = new int[claimsMax];
    this.claims = new int[count];
    this.generations = new int[count];
    this.away = new boolean[count];
    for (int chunk = count - 1; chunk >= slots.length; chunk--) {
      spares[spareCount++] = chunk;
    }
    for (int slot = 0; slot < slots.length; slot++) {
      put(slot, slot);
    }
  }

  private void put(int slot, int chunk) {
    slots[slot] = chunk;
    batch.slot(slot, memory, (long) chunk * chunkBytes, chunkBytes);
  }

  MemorySegment memory() {
    return memory;
  }

  /** Where the chunk of a slot begins. */
  long offset(int slot) {
    return (long) slots[slot] * chunkBytes;
  }

  /** The name of the frames in a slot. */
  long name(int slot) {
    int chunk = slots[slot];
    return ((long) generations[chunk] << 32) | chunk;
  }

  /** All frames of a slot were handed up: it can be received into again. */
  void retire(int slot) {
    int chunk = slots[slot];
    if (claims[chunk] == 0) {
      turn(chunk);
    } else {
      away[chunk] = true;
      put(slot, spares[--spareCount]);
    }
  }

  private void turn(int chunk) {
    generations[chunk] = (generations[chunk] + 1) & Integer.MAX_VALUE;
  }

  /** Keeps the chunk of a frame; false when the quota is spent. */
  boolean claim(long name) {
    int chunk = (int) name;
    if (claims[chunk] == 0) {
      if (claimed == claimsMax) {
        counters.add(NicCount.CLAIMS_REFUSED);
        return false;
      }
      claimed++;
    }
    claims[chunk]++;
    counters.add(NicCount.CLAIMED);
    return true;
  }

  /** Whether the chunk of a frame has claims. */
  boolean isKept(long name) {
    int chunk = (int) name;
    boolean known = chunk >= 0 && chunk < claims.length && generations[chunk] == name >>> 32;
    return known && claims[chunk] > 0;
  }

  /** Gives a claim back. */
  void release(long name) {
    int chunk = (int) name;
    if (!isKept(name)) {
      throw new IllegalStateException("frame %x is not claimed (any more)".formatted(name));
    }
    claims[chunk]--;
    if (claims[chunk] == 0) {
      claimed--;
      if (away[chunk]) {
        away[chunk] = false;
        turn(chunk);
        spares[spareCount++] = chunk;
      }
    }
  }

  /** Chunks with claims. */
  int claimed() {
    return claimed;
  }

  @Override
  public void close() {
    mapping.close();
  }
}

package io.busbar.fabric.udp;

import io.busbar.fabric.NicCounters;
import io.busbar.fabric.socket.ChunkClaims;
import io.busbar.linux.Mapping;
import io.busbar.linux.ReceiveBatch;
import java.lang.foreign.MemorySegment;

/**
 * The memory that datagrams arrive in, in chunks: one in each slot of the receiving call, and spare
 * ones for those that are kept.
 */
final class ReceiveChunks implements AutoCloseable {
  private final Mapping mapping;
  private final MemorySegment memory;
  private final ReceiveBatch batch;
  private final int chunkBytes;
  private final ChunkClaims claims;
  private final int[] slots;

  ReceiveChunks(UdpConfig config, ReceiveBatch batch, NicCounters counters) {
    this.batch = batch;
    this.chunkBytes = config.chunkBytes();
    this.claims = new ChunkClaims(config.chunks(), config.claimsMax(), counters);
    this.mapping = Mapping.anonymous((long) claims.chunks() * chunkBytes);
    this.memory = mapping.segment();
    this.slots = new int[config.chunks()];
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
    return claims.name(slots[slot]);
  }

  /** All frames of a slot were handed up: it can be received into again. */
  void retire(int slot) {
    int next = claims.retire(slots[slot]);
    if (next != slots[slot]) {
      put(slot, next);
    }
  }

  /** Keeps the chunk of a frame; false when the quota is spent. */
  boolean claim(long name) {
    return claims.claim(name);
  }

  /** Whether the chunk of a frame has claims. */
  boolean isKept(long name) {
    return claims.isKept(name);
  }

  /** Gives a claim back. */
  void release(long name) {
    claims.release(name);
  }

  /** Chunks with claims. */
  int claimed() {
    return claims.claimed();
  }

  @Override
  public void close() {
    mapping.close();
  }
}

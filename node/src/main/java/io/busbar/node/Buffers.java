package io.busbar.node;

import io.busbar.memory.Pool;
import io.busbar.memory.PoolLayout;
import io.busbar.memory.Role;
import io.busbar.wire.Records;
import java.lang.foreign.MemorySegment;

/**
 * Buffers that can change their owner instead of being copied, in the pool of a carrier. In front
 * of each is room for a record's header. The driver's role is needed.
 */
public final class Buffers {
  /** No buffer is free. */
  public static final long NONE = Pool.NONE;

  private final Pool pool;

  Buffers(Pool pool) {
    this.pool = pool;
  }

  /** The largest one. */
  public int bytesMax() {
    return PoolLayout.ZONE_BLOCKS * pool.layout().blockBytes() - Records.HEADER_BYTES;
  }

  /** Takes a buffer of at least so many bytes; its name, or {@link #NONE}. */
  public long allocate(int bytes) {
    return pool.allocate(Records.HEADER_BYTES + bytes, Role.APPLICATION);
  }

  /** Where its bytes are. */
  public MemorySegment memory(long buffer) {
    return pool.segment(buffer, Role.APPLICATION).asSlice(Records.HEADER_BYTES);
  }

  /** Gives a buffer back. */
  public void free(long buffer) {
    pool.free(buffer, Role.APPLICATION);
  }

  /** The frame that a buffer is: a header, then its bytes. */
  MemorySegment frame(long buffer) {
    return pool.segment(buffer, Role.APPLICATION);
  }
}

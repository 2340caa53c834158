package io.busbar.fabric.shm;

import io.busbar.fabric.NicCount;
import io.busbar.fabric.NicCounters;
import io.busbar.memory.OwnershipException;
import io.busbar.memory.Pool;
import io.busbar.memory.Role;
import io.busbar.wire.SharedSegment;

/**
 * Our pool, as the interface itself uses it. Every peer can write its words; what one of them has
 * damaged is counted and told, and costs the buffer, but is never thrown at our user.
 */
final class OwnPool {
  final Pool pool;
  private final NicCounters counters;
  private final Warnings warnings;

  OwnPool(Pool pool, NicCounters counters, Warnings warnings) {
    this.pool = pool;
    this.counters = counters;
    this.warnings = warnings;
  }

  /** A buffer for the fabric, or {@link Pool#NONE}. */
  long allocate(int length) {
    try {
      return pool.allocate(length, Role.FABRIC);
    } catch (OwnershipException e) {
      damaged(e);
      return Pool.NONE;
    }
  }

  /** Where a buffer of the fabric is in the segment; -1 when it is not the fabric's any more. */
  long placeOf(long handle) {
    try {
      return SharedSegment.POOL + pool.offset(handle, Role.FABRIC);
    } catch (OwnershipException e) {
      damaged(e);
      return -1;
    }
  }

  /** Gives a buffer of the fabric to a peer: its handle, or {@link Pool#NONE}. */
  long give(long handle, int participant) {
    try {
      return pool.give(handle, Role.FABRIC, Role.FABRIC, participant);
    } catch (OwnershipException e) {
      damaged(e);
      return Pool.NONE;
    }
  }

  void free(long handle) {
    try {
      pool.free(handle, Role.FABRIC);
    } catch (OwnershipException e) {
      damaged(e);
    }
  }

  private void damaged(RuntimeException e) {
    counters.add(NicCount.DROPPED_CORRUPT);
    warnings.tell(
        Warnings.Kind.DAMAGE, "the pool was damaged by one who maps it: " + e.getMessage());
  }
}

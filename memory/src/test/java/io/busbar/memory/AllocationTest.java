package io.busbar.memory;

import io.busbar.testkit.AllocationMeter;
import org.junit.jupiter.api.Test;

/** A buffer's way through a pool makes no objects, on memory as it is used between processes. */
class AllocationTest {
  private static final int BLOCK = 4096;
  private static final PoolLayout LAYOUT = new PoolLayout(4, BLOCK);

  private static void check(boolean condition) {
    if (!condition) {
      throw new AssertionError("a call failed");
    }
  }

  @Test
  void aBufferMakesNoObjects() {
    AllocationMeter meter = new AllocationMeter();
    try (ResidentMemory memory = ResidentMemory.anonymous("pool", LAYOUT.bytes(), Pinning.none())) {
      Pool pool = new Pool(LAYOUT, memory.segment(), 1);
      Pool other = new Pool(LAYOUT, memory.segment(), 2);
      Words words = new SegmentWords(memory.segment());
      meter.assertAllocatesNothing(
          () -> {
            long handle = pool.allocate(3 * BLOCK, Role.APPLICATION);
            check(pool.bytes(handle, Role.APPLICATION) == 3 * BLOCK);
            long given = pool.give(handle, Role.APPLICATION, Role.FABRIC, 2);
            check(given == Pool.onceGiven(handle));
            check(!pool.holds(given, Role.FABRIC, 1));
            check(other.holds(given, Role.FABRIC, 3 * BLOCK));
            check(other.offset(given, Role.FABRIC) > 0);
            words.hint(PoolLayout.busyWord(0), 9);
            other.free(given, Role.FABRIC);
            check(other.hasDeferred());
            words.hint(PoolLayout.busyWord(0), 0);
            other.drain();
            check(pool.reclaim(9) == 0);
          });
      for (int zone = 0; zone < LAYOUT.zones(); zone++) {
        pool.allocate(32 * BLOCK, Role.APPLICATION);
      }
      meter.assertAllocatesNothing(
          () -> check(other.allocate(BLOCK, Role.APPLICATION) == Pool.NONE));
    }
  }
}

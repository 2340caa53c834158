package io.busbar.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/**
 * Threads that allocate, write, check and free at once. Forbidden: two hold one block (the bytes of
 * one show in the other's), a block lost at the end, an exception for a buffer one holds.
 */
class ConcurrencyTest {
  private static final int BLOCK = 4096;
  private static final int THREADS = 4;
  private static final int ROUNDS = 60_000;

  private final PoolLayout layout = new PoolLayout(2, BLOCK);
  private final MemorySegment memory = Arena.ofShared().allocate(layout.bytes(), 4096);

  @Test
  void noBlockIsHeldTwiceAndNoneIsLost() throws InterruptedException, ExecutionException {
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Callable<Long>> lives = new ArrayList<>();
      for (int i = 1; i <= THREADS; i++) {
        int participant = i;
        lives.add(() -> live(new Pool(layout, memory, participant), participant));
      }
      long allocations = 0;
      for (Future<Long> life : threads.invokeAll(lives)) {
        allocations += life.get();
      }
      assertThat(allocations).isGreaterThan(ROUNDS);
    }
    assertThat(new Pool(layout, memory, 9).freeBlocks()).isEqualTo(64);
  }

  private long live(Pool pool, int participant) {
    SplittableRandom random = new SplittableRandom(participant);
    ArrayDeque<long[]> held = new ArrayDeque<>();
    long allocations = 0;
    for (int i = 0; i < ROUNDS; i++) {
      if (held.size() < 3) {
        int bytes = (1 + random.nextInt(8)) * BLOCK;
        long handle = pool.allocate(bytes, Role.APPLICATION);
        if (handle != Pool.NONE) {
          allocations++;
          long mark = (long) participant << 32 | i;
          mark(pool, handle, mark);
          held.add(new long[] {handle, mark});
        }
      } else {
        long[] oldest = held.remove();
        check(pool, oldest[0], oldest[1]);
        pool.free(oldest[0], Role.APPLICATION);
      }
    }
    while (!held.isEmpty()) {
      long[] oldest = held.remove();
      check(pool, oldest[0], oldest[1]);
      pool.free(oldest[0], Role.APPLICATION);
    }
    while (pool.hasDeferred()) {
      pool.drain();
    }
    return allocations;
  }

  /** Writes at both ends of every block of the buffer. */
  private void mark(Pool pool, long handle, long mark) {
    long at = pool.offset(handle, Role.APPLICATION);
    long end = at + pool.bytes(handle, Role.APPLICATION);
    for (long block = at; block < end; block += BLOCK) {
      memory.set(ValueLayout.JAVA_LONG, block, mark);
      memory.set(ValueLayout.JAVA_LONG, block + BLOCK - 8, mark);
    }
  }

  private void check(Pool pool, long handle, long mark) {
    long at = pool.offset(handle, Role.APPLICATION);
    long end = at + pool.bytes(handle, Role.APPLICATION);
    for (long block = at; block < end; block += BLOCK) {
      if (memory.get(ValueLayout.JAVA_LONG, block) != mark
          || memory.get(ValueLayout.JAVA_LONG, block + BLOCK - 8) != mark) {
        throw new AssertionError("a block of participant " + (mark >>> 32) + " is held twice");
      }
    }
  }
}

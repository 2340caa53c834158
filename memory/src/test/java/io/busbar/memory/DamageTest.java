package io.busbar.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Another process writes over the words. Forbidden: a call that never ends, an exception that does
 * not say who holds what, memory outside the pool, damage that spreads to other zones.
 */
class DamageTest {
  private static final int BLOCK = 4096;
  private static final PoolLayout LAYOUT = new PoolLayout(2, BLOCK);
  private static final int RUNS = 400;

  /** No call looks at every word more often than this, whatever it finds there. */
  private static final int ACCESSES_MAX = 40 * 64;

  /** Words over which somebody writes between any two accesses to them. */
  private static final class Haunted implements Words {
    private final Words words;
    private final SplittableRandom random;
    private final int zones;
    private int oneIn = Integer.MAX_VALUE;
    private int accesses;

    Haunted(Words words, SplittableRandom random, int zones) {
      this.words = words;
      this.random = random;
      this.zones = zones;
    }

    private void access() {
      if (++accesses > ACCESSES_MAX) {
        throw new AssertionError("it loops");
      }
      if (random.nextInt(oneIn) == 0) {
        haunt();
      }
    }

    /** Writes rubbish, or what could be true, into one of the words. */
    void haunt() {
      int block = random.nextInt(zones * PoolLayout.ZONE_BLOCKS);
      int zone = block / PoolLayout.ZONE_BLOCKS;
      switch (random.nextInt(4)) {
        case 0 -> words.hint(PoolLayout.stateWord(block), random.nextLong());
        case 1 -> words.hint(PoolLayout.stateWord(block), likely());
        case 2 -> words.hint(PoolLayout.bitmapWord(zone), random.nextLong());
        default ->
            words.hint(
                PoolLayout.busyWord(zone),
                random.nextBoolean() ? random.nextLong() : random.nextInt(5));
      }
    }

    private long likely() {
      long state = random.nextInt(6);
      long blocks = random.nextInt(random.nextBoolean() ? 4 : 256);
      long role = random.nextInt(random.nextBoolean() ? 4 : 256);
      long participant = random.nextInt(random.nextBoolean() ? 4 : 256);
      return state | blocks << 8 | role << 16 | participant << 24 | random.nextLong(5) << 32;
    }

    @Override
    public long get(long index) {
      access();
      return words.get(index);
    }

    @Override
    public boolean replace(long index, long expected, long word) {
      access();
      return words.replace(index, expected, word);
    }

    @Override
    public void hint(long index, long word) {
      access();
      words.hint(index, word);
    }
  }

  private final MemorySegment memory = Arena.ofAuto().allocate(LAYOUT.bytes(), 4096);
  private final Words words = new SegmentWords(memory);
  private int refusals;

  /** Runs an operation that may be refused by name. */
  private void tries(Haunted haunted, Runnable operation) {
    haunted.accesses = 0;
    try {
      operation.run();
    } catch (OwnershipException e) {
      refusals++;
      assertThat(e).hasMessageMatching("block \\d+ .*held by .*");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 30, 300, 3000})
  void whateverIsWrittenCallsEndAndStayInside(int oneIn) {
    for (int seed = 0; seed < RUNS; seed++) {
      memory.asSlice(0, LAYOUT.blocksAt()).fill((byte) 0);
      SplittableRandom random = new SplittableRandom(seed);
      Haunted haunted = new Haunted(words, random, LAYOUT.zones());
      Pool pool = new Pool(LAYOUT, memory, 1, haunted);
      Pool other = new Pool(LAYOUT, memory, 2, haunted);
      List<Long> held = new ArrayList<>();
      haunted.oneIn = oneIn;
      for (int i = 0; i < 60; i++) {
        tries(haunted, () -> use(pool, other, held, random));
      }
      tries(haunted, pool::freeBlocks);
      tries(haunted, pool::damagedBlocks);
    }
    assertThat(refusals).as("operations that were refused by name").isPositive();
  }

  private void use(Pool pool, Pool other, List<Long> held, SplittableRandom random) {
    switch (random.nextInt(6)) {
      case 0, 1 -> {
        long handle = pool.allocate((1 + random.nextInt(32)) * BLOCK, Role.APPLICATION);
        if (handle != Pool.NONE) {
          held.add(handle);
          isInside(pool, handle);
        }
      }
      case 2 -> {
        if (!held.isEmpty()) {
          long handle = held.remove(random.nextInt(held.size()));
          long given = pool.give(handle, Role.APPLICATION, Role.FABRIC, 2);
          if (other.holds(given, Role.FABRIC, BLOCK)) {
            other.free(given, Role.FABRIC);
          }
        }
      }
      case 3 -> {
        if (!held.isEmpty()) {
          pool.free(held.remove(random.nextInt(held.size())), Role.APPLICATION);
        }
      }
      case 4 -> pool.reclaim(2 + random.nextInt(254));
      default -> pool.drain();
    }
  }

  private void isInside(Pool pool, long handle) {
    MemorySegment buffer = pool.segment(handle, Role.APPLICATION);
    long at = buffer.address() - memory.address();
    assertThat(at).isGreaterThanOrEqualTo(LAYOUT.blocksAt());
    assertThat(at + buffer.byteSize()).isLessThanOrEqualTo(LAYOUT.bytes());
    assertThat(buffer.byteSize()).isPositive();
  }

  @Test
  void damageInOneZoneStaysThere() {
    for (int seed = 0; seed < RUNS; seed++) {
      memory.asSlice(0, LAYOUT.blocksAt()).fill((byte) 0);
      SplittableRandom random = new SplittableRandom(seed);
      Haunted haunted = new Haunted(words, random, 1);
      for (int i = 0; i < 300; i++) {
        haunted.haunt();
      }
      Pool pool = new Pool(LAYOUT, memory, 1);
      words.hint(PoolLayout.busyWord(1), 77);
      words.hint(PoolLayout.bitmapWord(1), -1);
      List<Long> got = new ArrayList<>();
      for (long handle = 0; handle != Pool.NONE; ) {
        handle = pool.allocate(4 * BLOCK, Role.APPLICATION);
        if (handle != Pool.NONE) {
          got.add(handle);
          isInside(pool, handle);
        }
      }
      long elsewhere = got.stream().filter(handle -> Handle.block(handle) >= 32).count();
      assertThat(elsewhere).as("seed %d", seed).isEqualTo(8);
      got.forEach(handle -> pool.free(handle, Role.APPLICATION));
      assertThat(pool.allocate(32 * BLOCK, Role.APPLICATION)).isNotEqualTo(Pool.NONE);
    }
  }

  @Test
  void aBusyWordThatNamesNobodyIsNotBusy() {
    Pool pool = new Pool(LAYOUT, memory, 1);
    words.hint(PoolLayout.busyWord(0), 256);
    long handle = pool.allocate(BLOCK, Role.APPLICATION);
    assertThat(Handle.block(handle)).isZero();
    words.hint(PoolLayout.busyWord(0), -1);
    pool.free(handle, Role.APPLICATION);
    assertThat(pool.hasDeferred()).isFalse();
  }

  /** Words that no pool writes: each is named, counted, and never handed out. */
  @Test
  void aWordThatMakesNoSenseIsOutOfUse() {
    Pool pool = new Pool(LAYOUT, memory, 1);
    long[] rubbish = {
      0x05, // no such state
      0x0100, // free, but of one block
      0x01_00_00_00L, // free, but somebody's
      0x01, // being allocated by nobody
      0x01_01_21_02L, // 33 blocks
      0x01_01_00_02L, // no blocks
      0x01_04_01_02L, // no such role
      0x00_01_01_02L, // nobody's
      0x1F_00_00_03L, // a tail before its head
      0x03_00_00_03L, // a tail of a free block
      -1,
    };
    for (long word : rubbish) {
      words.hint(PoolLayout.stateWord(5), word);
      assertThat(pool.damagedBlocks()).as("%x", word).isEqualTo(1);
      assertThat(pool.freeBlocks()).isEqualTo(63);
      assertThat(pool.reclaim(2)).isZero();
      long handle = Handle.of(5, BlockWord.generation(word));
      for (Role role : Role.values()) {
        assertThat(pool.holds(handle, role, 0)).isFalse();
        assertThatThrownBy(() -> pool.free(handle, role))
            .isInstanceOf(OwnershipException.class)
            .hasMessageMatching(".*it is held by (nobody|the buffer that begins).*");
      }
      long behind = pool.allocate(6 * BLOCK, Role.APPLICATION);
      assertThat(Handle.block(behind)).isEqualTo(6);
      pool.free(behind, Role.APPLICATION);
    }
  }
}

package io.busbar.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * A participant is stopped before every store of every operation; whoever survives reclaims, may
 * itself be stopped while doing so, and in the end nothing is held by the dead and nothing is lost.
 */
class DeathTest {
  private static final int BLOCK = 4096;
  private static final int DEATHS = 10_000;

  private final PoolLayout layout = new PoolLayout(2, BLOCK);
  private final MemorySegment memory = Arena.ofAuto().allocate(layout.bytes(), 4096);
  private final Words words = new SegmentWords(memory);
  private final SplittableRandom random = new SplittableRandom(11);

  @Test
  void noDeathLosesOrLocksAnything() {
    int deaths = 0;
    for (int run = 0; deaths < DEATHS; run++) {
      memory.fill((byte) 0);
      MortalWords first = new MortalWords(words);
      MortalWords second = new MortalWords(words);
      Pool victim = new Pool(layout, memory, 1, first);
      Pool heir = new Pool(layout, memory, 2, second);
      Pool survivor = new Pool(layout, memory, 3);
      List<Long> kept = new ArrayList<>();
      for (int i = random.nextInt(6); i > 0; i--) {
        kept.add(survivor.allocate((1 + random.nextInt(9)) * BLOCK, Role.APPLICATION));
      }
      int keptBlocks = 64 - survivor.freeBlocks();
      deaths += first.diesAt(run % 97, () -> live(victim)) ? 1 : 0;
      deaths += second.diesAt(run % 23, () -> heir.reclaim(1)) ? 1 : 0;
      survivor.reclaim(1);
      survivor.reclaim(2);
      assertThat(survivor.freeBlocks()).as("run %d", run).isEqualTo(64 - keptBlocks);
      kept.forEach(handle -> survivor.free(handle, Role.APPLICATION));
      assertThat(survivor.freeBlocks()).isEqualTo(64);
      assertThat(survivor.allocate(32 * BLOCK, Role.APPLICATION)).isNotEqualTo(Pool.NONE);
      assertThat(survivor.allocate(32 * BLOCK, Role.APPLICATION)).isNotEqualTo(Pool.NONE);
    }
    assertThat(deaths).isGreaterThanOrEqualTo(DEATHS);
  }

  /** Some of everything: allocations of all sizes, gifts inside the process, frees. */
  private void live(Pool pool) {
    List<Long> held = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      long handle = pool.allocate((1 + random.nextInt(12)) * BLOCK, Role.APPLICATION);
      if (handle != Pool.NONE) {
        held.add(pool.give(handle, Role.APPLICATION, Role.TRANSPORT, 1));
      }
      if (held.size() > 2) {
        pool.free(held.remove(random.nextInt(held.size())), Role.TRANSPORT);
      }
    }
  }

  @Test
  void aBusyWordOfTheDeadIsCleared() {
    words.hint(PoolLayout.busyWord(1), 1);
    new Pool(layout, memory, 2).reclaim(1);
    assertThat(words.get(PoolLayout.busyWord(1))).isZero();
  }

  @Test
  void whatTheDeadGaveAwayStaysGiven() {
    Pool victim = new Pool(layout, memory, 1);
    Pool survivor = new Pool(layout, memory, 2);
    long handle = victim.allocate(3 * BLOCK, Role.APPLICATION);
    long given = victim.give(handle, Role.APPLICATION, Role.APPLICATION, 2);
    assertThat(survivor.reclaim(1)).isZero();
    assertThat(survivor.bytes(given, Role.APPLICATION)).isEqualTo(3 * BLOCK);
  }
}

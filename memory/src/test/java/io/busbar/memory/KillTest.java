package io.busbar.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes that share a pool are ended by SIGKILL in the middle of their work, two at a time,
 * while a survivor goes on working. Forbidden: a block lost, a block of the living taken from it or
 * held twice, a number that stays with the dead.
 */
@Timeout(240)
class KillTest {
  private static final int KILLS = 50;

  /** So many are enough where one of them came in the middle of a change. */
  private static final int KILLS_MIN = 20;

  private static final int STEPS_MIN = 200;
  private static final int STEPS_MORE = 3_000;

  @TempDir Path folder = Path.of("");

  private final SplittableRandom random = new SplittableRandom(7);
  private int kills;
  private int leftBuffers;
  private int inTheMiddle;

  @Test
  void deathsLoseNothing() throws Exception {
    live(KILLS_MIN);
  }

  @Tag("long")
  @Test
  void fiftyDeathsLoseNothing() throws Exception {
    live(KILLS);
  }

  private void live(int killsMin) throws Exception {
    String path = folder.resolve("pool").toString();
    try (ResidentMemory memory = ResidentMemory.create(path, Life.BYTES, Pinning.none());
        Participants participants = new Participants(memory.file(), 0);
        Mortal first = new Mortal(2, memory);
        Mortal second = new Mortal(3, memory)) {
      Pool pool = participants.join(Life.SURVIVOR, Life.LAYOUT, Life.poolOf(memory.segment()));
      Life life = new Life(memory.segment(), pool, 1);
      while (kills < killsMin || (inTheMiddle == 0 && kills < KILLS)) {
        for (int i = 0; i < 20; i++) {
          life.step();
        }
        for (Mortal mortal : List.of(first, second)) {
          if (mortal.isDue()) {
            mortal.dies(participants, pool, life);
            mortal.isBornAgain();
          }
        }
        LockSupport.parkNanos(200_000); // leaves the processors to those who are being born
      }
      for (Mortal mortal : List.of(first, second)) {
        mortal.process.kill();
        life.take(mortal.number);
      }
      life.end();
      participants.bury(first.number, pool);
      participants.bury(second.number, pool);
      System.out.printf(
          "%d deaths: %d left buffers, %d came in the middle of a change%n",
          kills, leftBuffers, inTheMiddle);
      assertThat(leftBuffers).as("deaths that left buffers").isGreaterThan(kills / 2);
      assertThat(inTheMiddle).as("deaths in the middle of a change").isPositive();
      assertThat(pool.damagedBlocks()).isZero();
      assertThat(pool.freeBlocks()).isEqualTo(Life.LAYOUT.blocks());
      for (int zone = 0; zone < Life.LAYOUT.zones(); zone++) {
        int whole = PoolLayout.ZONE_BLOCKS * Life.BLOCK;
        assertThat(pool.allocate(whole, Role.APPLICATION)).as("zone %d", zone).isNotNegative();
      }
    }
  }

  /** A participant that lives in one process after the other. */
  private final class Mortal implements AutoCloseable {
    private final int number;
    private final ResidentMemory memory;
    private ChildJvm process;
    private long stepsToLive;

    Mortal(int number, ResidentMemory memory) throws IOException {
      this.number = number;
      this.memory = memory;
      process = born();
    }

    private ChildJvm born() throws IOException {
      stepsToLive = steps() + STEPS_MIN + random.nextInt(STEPS_MORE);
      return new ChildJvm(List.of(), Deed.LIVE, memory.path(), number, random.nextInt());
    }

    void isBornAgain() throws IOException {
      process = born();
    }

    private long steps() {
      return Life.steps(memory.segment(), number);
    }

    boolean isDue() {
      if (!process.isAlive()) {
        throw new AssertionError("participant %d ended by itself".formatted(number));
      }
      return steps() >= stepsToLive;
    }

    void dies(Participants participants, Pool pool, Life life) throws InterruptedException {
      assertThat(participants.isAlive(number)).isTrue();
      assertThat(participants.bury(number, pool)).isEqualTo(Participants.ALIVE);
      process.kill();
      assertThat(participants.isAlive(number)).isFalse();
      kills++;
      look();
      life.take(number);
      if (random.nextBoolean()) {
        participants.bury(number, pool);
      } // otherwise its next life takes over what it left
    }

    private void look() {
      Words words = new SegmentWords(Life.poolOf(memory.segment()));
      boolean left = false;
      boolean middle = false;
      for (int block = 0; block < Life.LAYOUT.blocks(); block++) {
        long word = words.get(PoolLayout.stateWord(block));
        boolean held = BlockWord.isHeldBy(word, number, block % PoolLayout.ZONE_BLOCKS);
        left |= held;
        middle |= held && BlockWord.state(word) != BlockWord.OWNED;
      }
      leftBuffers += left ? 1 : 0;
      inTheMiddle += middle ? 1 : 0;
    }

    @Override
    public void close() {
      process.close();
    }
  }
}

package io.busbar.fabric.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.linux.Errno;
import io.busbar.wire.SharedSegment;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SleepWordTest {
  private final MemorySegment memory = Arena.ofAuto().allocate(4096, 4096);
  private final SleepWord word = new SleepWord(memory);
  private final AtomicInteger rings = new AtomicInteger();

  private boolean ring() {
    return SleepWord.ring(memory, rings::incrementAndGet);
  }

  @Test
  void onlyASleeperIsRungAndOnce() {
    assertThat(ring()).isFalse();
    word.asleep();
    assertThat(ring()).isTrue();
    assertThat(ring()).isFalse();
    word.awake();
    assertThat(ring()).isFalse();
    word.asleep();
    assertThat(ring()).isTrue();
    assertThat(rings).hasValue(2);
  }

  /** A ringer that is killed or stopped before it has rung must not keep others from it. */
  @Test
  void ringComesBeforeTheWord() {
    word.asleep();
    long[] seen = new long[1];
    SleepWord.ring(
        memory,
        () -> {
          seen[0] = memory.get(ValueLayout.JAVA_LONG, SharedSegment.SLEEP_WORD);
          return 1;
        });
    assertThat(seen[0] & SharedSegment.SLEEP_STATE).isEqualTo(SharedSegment.ASLEEP);
  }

  /** A ringer that is slow to say so must not say it of the next sleep. */
  @Test
  void lateWordIsNotForTheNextSleep() {
    word.asleep();
    SleepWord.ring(
        memory,
        () -> {
          word.awake();
          word.asleep();
          return 1;
        });
    assertThat(ring()).isTrue();
    assertThat(rings).hasValue(1);
  }

  @Test
  void bellThatNobodyHearsIsNoRing() {
    word.asleep();
    assertThat(SleepWord.ring(memory, () -> -Errno.EPIPE)).isFalse();
    assertThat(ring()).isTrue();
  }
}

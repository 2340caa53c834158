package io.busbar.memory;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.memory.Race.Story;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The same races under Lincheck's model checker, which knows nothing of {@link Words}: it stops the
 * threads at every access to anything they share.
 */
@Tag("long")
@Timeout(600)
class LincheckTest {
  private static void run(Race race, Breakage breakage) {
    Story story = race.begin(breakage.of(new ArrayWords(Race.LAYOUT)), race.variants() / 2);
    Thread one = new Thread(story.threads().get(0));
    Thread other = new Thread(story.threads().get(1));
    one.start();
    other.start();
    try {
      one.join();
      other.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    story.check().run();
  }

  @ParameterizedTest
  @EnumSource
  void neverHappens(Race race) {
    Lincheck.runConcurrentTest(1_000, () -> run(race, Breakage.NONE));
  }

  @Test
  void brokenWordsAreFound() {
    assertThatThrownBy(
            () ->
                Lincheck.runConcurrentTest(
                    2_000, () -> run(Race.FREED_TWICE, Breakage.GENERATION_IGNORED)))
        .isInstanceOf(LincheckAssertionError.class)
        .hasMessageContaining("not so: one of them succeeds");
  }
}

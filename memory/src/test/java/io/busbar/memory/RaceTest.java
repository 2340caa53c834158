package io.busbar.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.memory.Interleavings.Outcome;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every race in every order of its steps with a few preemptions: what it is named by does not come
 * of it. And words that are broken on purpose, which are found.
 */
@Timeout(600)
class RaceTest {
  /** The outcome of all ways to begin, up to the first that fails. */
  private static Outcome explore(Race race, Breakage breakage, int preemptions)
      throws InterruptedException, ExecutionException {
    Outcome all = new Outcome(0, "");
    for (int variant = 0; variant < race.variants() && all.failure().isEmpty(); variant++) {
      int begun = variant;
      Outcome one =
          Interleavings.explore(
              preemptions,
              () -> new ArrayWords(Race.LAYOUT),
              words -> race.begin(breakage.of(words), begun));
      all = new Outcome(all.orders() + one.orders(), one.failure());
    }
    return all;
  }

  private static void assertNever(Race race, Breakage breakage, int preemptions)
      throws InterruptedException, ExecutionException {
    Outcome outcome = explore(race, breakage, preemptions);
    assertThat(outcome.failure()).isEmpty();
    assertThat(outcome.orders()).as("orders").isGreaterThan(10);
  }

  @ParameterizedTest
  @EnumSource
  void neverHappens(Race race) throws Exception {
    assertNever(race, Breakage.NONE, race.variants() == 1 ? 3 : 2);
  }

  @ParameterizedTest
  @EnumSource
  void neverHappensWithoutHintsEither(Race race) throws Exception {
    assertNever(race, Breakage.HINTS_LOST, race.variants() == 1 ? 2 : 1);
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource
  void neverHappensHoweverOftenTheyChange(Race race) throws Exception {
    assertNever(race, Breakage.NONE, race.preemptionsMax());
  }

  /** A race that finds nothing proves nothing: each finds a fault that it should. */
  @ParameterizedTest
  @CsvSource({
    "ONE_BLOCK_ALLOCATED_TWICE, LOOK_THEN_STORE",
    "LAST_BLOCKS_TAKEN_BY_HALVES, LOOK_THEN_STORE",
    "GIVEN_AND_FREED, LOOK_THEN_STORE",
    "GIVEN_TO_TWO, LOOK_THEN_STORE",
    "FREED_TWICE, LOOK_THEN_STORE",
    "FREED_TWICE, GENERATION_IGNORED",
    "DEFERRED_FREE_LOST, LOOK_THEN_STORE",
    "RESTING_FREED_TWICE, LOOK_THEN_STORE",
    "RESTING_FREED_TWICE, GENERATION_IGNORED",
    "RESTING_TAKEN_AND_BROKEN_UP, LOOK_THEN_STORE",
    "RECLAIMED_FROM_THE_LIVING, FREE_SPILLS_OVER",
    "RECLAIMED_TWICE, LOOK_THEN_STORE",
  })
  void brokenWordsAreFound(Race race, Breakage breakage) throws Exception {
    assertThat(explore(race, breakage, 2).failure()).contains("not so: ");
  }
}

package io.busbar.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The budget never promises more than there is. */
class CreditBudgetTest {
  private static final int TOTAL = 100_000;

  private final CreditBudget budget = new CreditBudget(TOTAL);

  @Test
  void aStreamTakesWhatItWantsWhenThereIsPlenty() {
    assertThat(budget.enter(1_000, 5_000, false)).isEqualTo(5_000);
    assertThat(budget.takenBytes()).isEqualTo(5_000);
  }

  @Test
  void oneAloneDoesNotTakeAll() {
    assertThat(budget.enter(1_000, TOTAL, false)).isEqualTo(TOTAL / 8);
  }

  @Test
  void theLastBytesAreKeptForFavoredStreams() {
    budget.keep(10_000);
    while (budget.enter(1_000, 1_000, false) > 0) {}
    assertThat(budget.takenBytes()).isEqualTo(TOTAL - 10_000);
    assertThat(budget.grow(1_000, 1_000, false)).isZero();
    assertThat(budget.enter(1_000, 1_000, true)).isEqualTo(1_000);
    assertThat(budget.grow(1_000, 1_000, true)).isEqualTo(1_000);
  }

  @Test
  void theLeastIsGivenWhileItIsThere() {
    int entered = 0;
    while (budget.enter(1_000, 1_000, false) > 0) {
      entered++;
    }
    assertThat(entered).isEqualTo(100);
    assertThat(budget.takenBytes()).isEqualTo(TOTAL);
    assertThat(budget.grow(1_000, 1_000, false)).isZero();
  }

  @Test
  void aWindowGrowsByAQuarterOfWhatIsFreeAtMost() {
    int window = budget.enter(1_000, 20_000, false);
    int more = budget.grow(window, TOTAL, false);
    assertThat(more).isEqualTo((TOTAL - window) / 4);
  }

  @Test
  void aWindowAboveItsShareShrinksWhenLittleIsFree() {
    int large = budget.enter(1_000, 12_000, false);
    while (budget.takenBytes() < TOTAL * 9 / 10) {
      large += budget.grow(large, 10_000, false);
    }
    int small = budget.enter(1_000, 1_000, false);
    assertThat(small).isEqualTo(1_000);
    assertThat(budget.shrink(large, 0)).isEqualTo(TOTAL / 2);
    assertThat(budget.takenBytes()).isEqualTo(TOTAL / 2 + small);
  }

  @Test
  void whatWasPromisedIsNotTakenBack() {
    int large = budget.enter(1_000, 12_000, false);
    while (budget.takenBytes() < TOTAL * 9 / 10) {
      large += budget.grow(large, 10_000, false);
    }
    budget.enter(1_000, 1_000, false);
    assertThat(budget.shrink(large, large - 10)).isEqualTo(large - 10);
  }

  @Test
  void nothingShrinksWhileThereIsPlenty() {
    int window = budget.enter(1_000, 10_000, false);
    assertThat(budget.shrink(window, 0)).isEqualTo(window);
  }

  @Test
  void moreThanWasTakenCannotBeGivenBack() {
    int taken = budget.enter(1_000, 5_000, false);
    assertThatThrownBy(() -> budget.leave(taken + 1)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void whoNeverCameCannotLeave() {
    assertThatThrownBy(() -> budget.leave(0)).isInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void theSumIsAlwaysThatOfTheWindows(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Integer> windows = new ArrayList<>();
    for (int step = 0; step < 20_000; step++) {
      int kind = windows.isEmpty() ? 0 : random.nextInt(4);
      int i = windows.isEmpty() ? 0 : random.nextInt(windows.size());
      switch (kind) {
        case 0 -> {
          int taken =
              budget.enter(1 + random.nextInt(2_000), 2_000 + random.nextInt(30_000), false);
          if (taken > 0) {
            windows.add(taken);
          }
        }
        case 1 ->
            windows.set(i, windows.get(i) + budget.grow(windows.get(i), windows.get(i), false));
        case 2 -> {
          int kept = budget.shrink(windows.get(i), random.nextLong(windows.get(i) + 1L));
          assertThat(kept).isBetween(1, windows.get(i));
          windows.set(i, kept);
        }
        default -> {
          budget.leave(windows.get(i));
          windows.subList(i, i + 1).clear();
        }
      }
      long sum = windows.stream().mapToLong(Integer::longValue).sum();
      assertThat(budget.takenBytes()).isEqualTo(sum).isLessThanOrEqualTo(TOTAL);
    }
  }
}

package io.busbar.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A context is found by its number for as long as it is held or something waits in it. */
class ContextsTest {
  private static final int STEPS = 100_000;

  private final Contexts contexts = new Contexts();

  private static Arrived message(int number) {
    return new Arrived(number, 0, 0, 0, 0, 0, 0, 0);
  }

  /** As a map says it; numbers go up as those of communicators do. */
  @Test
  void foundAreThoseThatAreThere() {
    Random random = new Random(7);
    Map<Integer, Context> expected = new HashMap<>();
    List<Integer> numbers = new ArrayList<>();
    int most = 0;
    for (int i = 0; i < STEPS; i++) {
      boolean makes = expected.size() < 3 || random.nextInt(100) < (i / 10_000 % 2 == 0 ? 52 : 48);
      if (makes) {
        int number = 64 * i + random.nextInt(2);
        contexts.hold(number);
        expected.put(number, contexts.obtain(number));
        numbers.add(number);
      } else {
        Collections.swap(numbers, random.nextInt(numbers.size()), numbers.size() - 1);
        int number = numbers.removeLast();
        contexts.letGo(number);
        expected.remove(number);
        assertThat(contexts.find(number)).isNull();
      }
      most = Math.max(most, expected.size());
      assertThat(contexts.count()).isEqualTo(expected.size());
      int one = numbers.get(random.nextInt(numbers.size()));
      assertThat(contexts.find(one)).isSameAs(expected.get(one));
    }
    assertThat(most).isGreaterThan(100);
    expected.forEach((number, context) -> assertThat(contexts.find(number)).isSameAs(context));
  }

  @Test
  void whatIsHeldStaysThoughItIsEmpty() {
    contexts.hold(8);
    Context held = contexts.obtain(8);
    contexts.dropIfIdle(held);
    assertThat(contexts.find(8)).isSameAs(held);
    contexts.letGo(8);
    assertThat(contexts.find(8)).isNull();
    contexts.letGo(8);
    assertThat(contexts.count()).isZero();
  }

  @Test
  void whatHasMessagesStaysUntilTheyAreTaken() {
    Context early = contexts.obtain(8);
    Arrived message = message(8);
    early.add(message);
    contexts.hold(8);
    contexts.letGo(8);
    assertThat(contexts.find(8)).isSameAs(early);
    early.remove(message);
    contexts.forEach(one -> assertThat(one).isSameAs(early));
    assertThat(contexts.find(8)).isNull();
  }

  @Test
  void thoseOfProgramsComeInOrder() {
    for (int number : new int[] {80, 9, 0, 1, 8, 81}) {
      contexts.hold(number);
    }
    assertThat(contexts.ofPrograms()).extracting(one -> one.number).containsExactly(0, 8, 80);
  }

  @Test
  void thereIsNoneBelowZero() {
    assertThat(contexts.find(-1)).isNull();
    assertThatThrownBy(() -> contexts.obtain(-1)).hasMessageContaining("no context -1");
  }
}

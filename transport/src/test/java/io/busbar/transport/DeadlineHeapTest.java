package io.busbar.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Deadlines against a list that is searched from end to end. */
class DeadlineHeapTest {
  private static final class Alarm extends Timed {
    final DeadlineHeap heap;
    final List<Long> rings = new ArrayList<>();
    LongUnaryOperator again = nowNs -> Timed.NEVER;

    Alarm(DeadlineHeap heap) {
      this.heap = heap;
    }

    @Override
    void onDeadline(long nowNs) {
      rings.add(nowNs);
      heap.set(this, again.applyAsLong(nowNs));
    }
  }

  private final DeadlineHeap heap = new DeadlineHeap();

  @Test
  void anEmptyHeapHasNoDeadline() {
    heap.expire(Long.MAX_VALUE - 1);
    assertThat(heap.nextNs()).isEqualTo(Timed.NEVER);
  }

  @Test
  void aDeadlineRingsOnceAtItsTime() {
    Alarm alarm = new Alarm(heap);
    heap.set(alarm, 100);
    heap.expire(99);
    assertThat(alarm.rings).isEmpty();
    heap.expire(100);
    heap.expire(200);
    assertThat(alarm.rings).containsExactly(100L);
    assertThat(heap.size()).isZero();
  }

  @Test
  void aDeadlineMovedLaterRingsLater() {
    Alarm alarm = new Alarm(heap);
    heap.set(alarm, 100);
    heap.set(alarm, 300);
    assertThat(heap.nextNs()).isEqualTo(300);
    heap.expire(299);
    assertThat(alarm.rings).isEmpty();
    heap.expire(300);
    assertThat(alarm.rings).containsExactly(300L);
  }

  @Test
  void aDeadlineTakenBackNeverRings() {
    Alarm alarm = new Alarm(heap);
    heap.set(alarm, 100);
    heap.set(alarm, Timed.NEVER);
    heap.expire(1_000);
    assertThat(alarm.rings).isEmpty();
    assertThat(heap.nextNs()).isEqualTo(Timed.NEVER);
    heap.set(alarm, 2_000);
    heap.expire(2_000);
    assertThat(alarm.rings).containsExactly(2_000L);
  }

  @Test
  void lowerOnlyLowers() {
    Alarm alarm = new Alarm(heap);
    heap.lower(alarm, 100);
    heap.lower(alarm, 200);
    assertThat(heap.nextNs()).isEqualTo(100);
    heap.lower(alarm, 50);
    assertThat(heap.nextNs()).isEqualTo(50);
  }

  @Test
  void theEarliestRingsFirst() {
    List<Integer> order = new ArrayList<>();
    for (int i : new int[] {5, 3, 9, 1, 7}) {
      Timed timed =
          new Timed() {
            @Override
            void onDeadline(long nowNs) {
              order.add(i);
            }
          };
      heap.set(timed, i);
    }
    heap.expire(10);
    assertThat(order).containsExactly(1, 3, 5, 7, 9);
  }

  @Test
  void anAlarmMaySetItselfAgainWhileItRings() {
    Alarm alarm = new Alarm(heap);
    alarm.again = nowNs -> nowNs + 10;
    heap.set(alarm, 10);
    for (long now = 0; now <= 55; now++) {
      heap.expire(now);
    }
    assertThat(alarm.rings).containsExactly(10L, 20L, 30L, 40L, 50L);
  }

  @Test
  void anAlarmMaySetAnotherThatIsDueAtOnce() {
    Alarm second = new Alarm(heap);
    Alarm first = new Alarm(heap);
    first.again =
        nowNs -> {
          heap.set(second, nowNs);
          return Timed.NEVER;
        };
    heap.set(first, 10);
    heap.expire(10);
    assertThat(second.rings).containsExactly(10L);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void likeAListThatIsSearched(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Alarm[] alarms = new Alarm[100];
    long[] expected = new long[alarms.length];
    for (int i = 0; i < alarms.length; i++) {
      alarms[i] = new Alarm(heap);
      expected[i] = Timed.NEVER;
    }
    long now = 0;
    for (int step = 0; step < 20_000; step++) {
      int i = random.nextInt(alarms.length);
      long at = random.nextInt(8) == 0 ? Timed.NEVER : now + 1 + random.nextInt(200);
      heap.set(alarms[i], at);
      expected[i] = at;
      if (random.nextInt(3) == 0) {
        now += random.nextInt(20);
        heap.expire(now);
        long next = Timed.NEVER;
        for (int k = 0; k < alarms.length; k++) {
          boolean due = expected[k] <= now;
          assertThat(alarms[k].rings).hasSize(due ? 1 : 0);
          alarms[k].rings.clear();
          expected[k] = due ? Timed.NEVER : expected[k];
          next = Math.min(next, expected[k]);
        }
        assertThat(heap.nextNs()).isEqualTo(next);
      }
    }
  }
}

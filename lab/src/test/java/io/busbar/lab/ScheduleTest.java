package io.busbar.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Virtual time: in order, equal times in planning order, and never backwards. */
class ScheduleTest {
  private final Schedule schedule = new Schedule();
  private final List<String> happened = new ArrayList<>();

  private void plan(long atNs, String what) {
    schedule.at(atNs, () -> happened.add(what));
  }

  @Test
  void earlierThingsHappenFirst() {
    plan(30, "c");
    plan(10, "a");
    plan(20, "b");
    schedule.runUntil(100);
    assertThat(happened).containsExactly("a", "b", "c");
    assertThat(schedule.nowNs()).isEqualTo(100);
  }

  @Test
  void equalTimesKeepTheOrderOfPlanning() {
    for (int i = 0; i < 1000; i++) {
      plan(5 + i % 3, "%d.%04d".formatted(i % 3, i));
    }
    schedule.runUntil(10);
    assertThat(happened).hasSize(1000).isSorted();
  }

  @Test
  void manyThingsInAnyOrderComeOutSorted() {
    SplittableRandom random = new SplittableRandom(1);
    List<Long> times = new ArrayList<>();
    for (int i = 0; i < 5000; i++) {
      schedule.at(random.nextLong(1_000_000), () -> times.add(schedule.nowNs()));
    }
    schedule.runUntil(1_000_000);
    assertThat(times).hasSize(5000).isSorted();
  }

  @Test
  void whatIsPlannedForThePastHappensNow() {
    schedule.runUntil(50);
    schedule.at(10, () -> happened.add("at " + schedule.nowNs()));
    schedule.runUntil(50);
    assertThat(happened).containsExactly("at 50");
  }

  @Test
  void stepStopsAtItsBound() {
    plan(10, "a");
    plan(11, "b");
    assertThat(schedule.nextNs()).isEqualTo(10);
    assertThat(schedule.step(10)).isTrue();
    assertThat(schedule.step(10)).isFalse();
    assertThat(happened).containsExactly("a");
    assertThat(schedule.nextNs()).isEqualTo(11);
    assertThat(schedule.nowNs()).isEqualTo(10);
  }
}

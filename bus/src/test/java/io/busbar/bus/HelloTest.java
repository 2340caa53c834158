package io.busbar.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.wire.Format;
import io.busbar.wire.FrameBuilder;
import io.busbar.wire.MemberCard;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** When a node that nobody answers says who it is. */
class HelloTest extends BusHearing {
  private static final long SECOND_NS = 1_000 * MS;
  private static final BusConfig.Times TIMES = BusConfig.Times.DEFAULT;

  /** Notes when something was said to everyone. */
  private static final class Clock implements BusSink {
    final List<Long> hellosNs = new ArrayList<>();
    long nowNs;

    @Override
    public void toAll(FrameBuilder frame) {
      MemorySegment bytes = MemorySegment.ofArray(new byte[frame.frameBytes()]);
      frame.copyTo(bytes, 0);
      if ((bytes.get(ValueLayout.JAVA_BYTE, 0) & 0xF) == Format.HELLO) {
        hellosNs.add(nowNs);
      }
    }

    @Override
    public void to(Member member, FrameBuilder frame) {}
  }

  /** The times of its hellos. */
  private static List<Long> hellos(long seed, BusConfig.Times times, long ns) {
    Clock clock = new Clock();
    MemberCard card = new MemberCard("n", "h", List.of(), Map.of());
    BusConfig config = new BusConfig(CLUSTER, 1, 1001, id -> card, seed, 1472, 64, times);
    Membership alone = new Membership(config, clock, MemberEvents.NONE);
    alone.start(0);
    for (long next = 0; next < ns; next = alone.dueNs()) {
      clock.nowNs = next;
      long _ = alone.poll(next);
    }
    return clock.hellosNs;
  }

  /** Give or take a quarter. */
  private static void checkInterval(List<Long> hellos, int i, long expectedNs) {
    assertThat(hellos.get(i + 1) - hellos.get(i))
        .as("from hello %d at %d ns", i, hellos.get(i))
        .isBetween(expectedNs * 74 / 100, expectedNs * 126 / 100);
  }

  @Test
  void theyComeLessAndLessOftenAndThenSeldom() {
    List<Long> hellos = hellos(1, TIMES, 600 * SECOND_NS);
    assertThat(hellos.getFirst()).isZero();
    double intervalNs = TIMES.helloNs();
    int i = 0;
    for (; hellos.get(i) < TIMES.announceNs(); i++) {
      checkInterval(hellos, i, Math.min((long) intervalNs, TIMES.helloNsMax()));
      intervalNs *= 1.6;
    }
    assertThat(i).as("in the first minute").isBetween(15, 25);
    for (; i < hellos.size() - 1; i++) {
      checkInterval(hellos, i, 6 * TIMES.helloNsMax());
    }
    assertThat(hellos.size()).as("in ten minutes").isBetween(22, 40);
  }

  @Test
  void theyBecomeSeldomWhenTheTimesSaySo() {
    List<Long> hellos = hellos(1, TIMES.withAnnounceNs(SECOND_NS), 600 * SECOND_NS);
    long soon = hellos.stream().filter(ns -> ns < SECOND_NS).count();
    assertThat(soon).isBetween(6L, 10L);
    assertThat(hellos.size() - soon).isBetween(7L, 14L);
  }

  /** Or nodes that start at once would speak at once each time. */
  @Test
  void noTwoNodesKeepTime() {
    List<Long> one = hellos(1, TIMES, 100 * SECOND_NS);
    List<Long> other = hellos(2, TIMES, 100 * SECOND_NS);
    assertThat(one).hasSizeGreaterThan(10).doesNotHaveDuplicates();
    assertThat(one.stream().filter(other::contains)).containsExactly(0L);
  }
}

package io.busbar.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.wire.Format;
import io.busbar.wire.FrameBuilder;
import io.busbar.wire.Header;
import io.busbar.wire.Seal;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The switch and its links: rate, latency, and both bounds are as the link says. */
class NetworkTest {
  private static final long GIGABIT = 1_000_000_000L;

  /** Header, payload and Ethernet's 38 bytes: 125 bytes are 1 µs at 1 Gbit/s. */
  private static final int PAYLOAD = 125 - 38 - Header.BYTES;

  private static final long FRAME_NS = 1000;

  private final Schedule schedule = new Schedule();
  private final Faults faults = new Faults(new SplittableRandom(1), 3);
  private final List<Long> arrivals = new ArrayList<>();
  private final List<String> fates = new ArrayList<>();

  private Network network(LinkSpec link) {
    Network network = new Network(schedule, link, faults, true, 3, 256);
    for (int node = 0; node < 3; node++) {
      network.attach(node, frame -> arrivals.add(schedule.nowNs()));
    }
    network.watch((now, what, bytes, length) -> fates.add(what));
    return network;
  }

  private static FrameBuilder frame() {
    FrameBuilder frame = new FrameBuilder(MemorySegment.ofArray(new byte[256]), false, Seal.NONE);
    frame.begin();
    frame.zeros(PAYLOAD);
    frame.finish(Format.DATA, 0, 1, 0, 1, 0, 0, 0, 0);
    return frame;
  }

  /** A switch stores and forwards: a frame takes its time on both links, and the latency. */
  @Test
  void loneFrameTakesLatencyAndTwiceItsDuration() {
    Network network = network(new LinkSpec(GIGABIT, 10_000, 8, 8));
    assertThat(network.send(0, 1, frame())).isTrue();
    schedule.runUntil(1_000_000);
    assertThat(arrivals).containsExactly(10_000 + 2 * FRAME_NS);
  }

  @Test
  void oddLatencyIsNotRoundedAway() {
    Network network = network(new LinkSpec(GIGABIT, 9_999, 8, 8));
    network.send(0, 1, frame());
    schedule.runUntil(1_000_000);
    assertThat(arrivals).containsExactly(9_999 + 2 * FRAME_NS);
  }

  @Test
  void framesFollowAtTheRateOfTheLink() {
    Network network = network(new LinkSpec(GIGABIT, 10_000, 8, 8));
    for (int i = 0; i < 4; i++) {
      assertThat(network.send(0, 1, frame())).isTrue();
    }
    schedule.runUntil(1_000_000);
    assertThat(arrivals).containsExactly(12_000L, 13_000L, 14_000L, 15_000L);
  }

  @Test
  void twoSendersShareTheReceiversPort() {
    Network network = network(new LinkSpec(GIGABIT, 10_000, 8, 8));
    network.send(0, 2, frame());
    network.send(1, 2, frame());
    schedule.runUntil(1_000_000);
    assertThat(arrivals).containsExactly(12_000L, 13_000L);
  }

  @Test
  void fullInterfaceRefusesAndHasRoomWhenAFrameHasLeft() {
    Network network = network(new LinkSpec(GIGABIT, 0, 8, 3));
    for (int i = 0; i < 3; i++) {
      assertThat(network.send(0, 1, frame())).isTrue();
    }
    assertThat(network.send(0, 1, frame())).isFalse();
    assertThat(network.send(2, 1, frame())).as("another node's interface").isTrue();
    assertThat(network.roomAtNs(0)).isEqualTo(FRAME_NS);
    schedule.runUntil(FRAME_NS);
    assertThat(network.send(0, 1, frame())).isTrue();
    assertThat(network.send(0, 1, frame())).isFalse();
    assertThat(network.frames()).isEqualTo(5);
  }

  @Test
  void fullPortDropsAndCounts() {
    Network network = network(new LinkSpec(GIGABIT, 0, 2, 8));
    for (int i = 0; i < 4; i++) {
      network.send(0, 2, frame());
      network.send(1, 2, frame());
    }
    schedule.runUntil(1_000_000);
    assertThat(network.queueDrops()).isPositive();
    assertThat(arrivals).hasSize(8 - (int) network.queueDrops());
    assertThat(fates.stream().filter("overflow"::equals)).hasSize((int) network.queueDrops());
  }

  @Test
  void frameForNobodyIsGone() {
    Network network = network(new LinkSpec(GIGABIT, 0, 8, 8));
    assertThat(network.send(0, 17, frame())).isTrue();
    schedule.runUntil(1_000_000);
    assertThat(fates).containsExactly("sent", "nobody");
  }

  @Test
  void cutWorksOneWay() {
    Network network = network(new LinkSpec(GIGABIT, 0, 8, 8));
    faults.cut(0, 1, true);
    network.send(0, 1, frame());
    network.send(1, 0, frame());
    schedule.runUntil(1_000_000);
    assertThat(fates).containsExactly("sent", "sent", "lost", "arrived");
  }

  @Test
  void everyFrameTwiceMeansTwoArrivals() {
    Network network = network(new LinkSpec(GIGABIT, 0, 8, 8));
    faults.duplicate = 1;
    network.send(0, 1, frame());
    schedule.runUntil(1_000_000);
    assertThat(arrivals).containsExactly(2 * FRAME_NS, 3 * FRAME_NS);
  }

  @Test
  void healingEndsEverything() {
    Network network = network(new LinkSpec(GIGABIT, 0, 8, 8));
    faults.loss = 1;
    faults.cut(0, 1, true);
    faults.heal();
    network.send(0, 1, frame());
    schedule.runUntil(1_000_000);
    assertThat(fates).containsExactly("sent", "arrived");
  }

  @Test
  void whatCannotBeALinkIsRefused() {
    assertThatThrownBy(() -> new LinkSpec(0, 0, 1, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new LinkSpec(1, -1, 1, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new LinkSpec(1, 0, 0, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new LinkSpec(1, 0, 1, 0)).isInstanceOf(IllegalArgumentException.class);
  }
}

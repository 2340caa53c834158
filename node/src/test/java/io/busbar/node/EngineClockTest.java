package io.busbar.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.fabric.udp.UdpAddress;
import io.busbar.fabric.udp.UdpConfig;
import io.busbar.fabric.udp.UdpNic;
import io.busbar.transport.Count;
import io.busbar.transport.TransportConfig;
import io.busbar.wire.Records;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What time it is for an engine while it handles frames. */
class EngineClockTest {
  /** Much longer than an answer waits for data to ride on. */
  private static final long SLOW_NS = 1_000_000;

  private static final long QUIET_NS = 50_000_000;
  private static final long PATIENCE_NS = 10_000_000_000L;

  private long shiftNs;
  private long slowNs;
  private int asked;
  private int answered;

  private static Engine engine(int node, LongSupplier clockNs, LaneUser user) {
    return engine(node, 1, 1_000_000_000_000L, clockNs, user);
  }

  private static Engine engine(
      int node, int idleRoundsPerTime, long probeNs, LongSupplier clockNs, LaneUser user) {
    TransportConfig transport = TransportConfig.builder(node, 1000 + node).build();
    return new Engine(
        new EngineConfig(transport, 1 << 20, 64, idleRoundsPerTime, probeNs), clockNs, user);
  }

  private static UdpNic loopback(Engine engine) {
    UdpAddress here = UdpAddress.parse("127.0.0.1:0");
    return new UdpNic(UdpConfig.builder().bind(here).build(), engine.events());
  }

  private static void send(Engine from, int to) {
    Lane lane = Objects.requireNonNull(from.lane(to));
    long record = Records.header(Records.WHOLE, 0, 1, 0);
    assertThat(lane.trySend(record, MemorySegment.NULL, 0, 0)).isEqualTo(Lane.TAKEN);
    from.flush();
  }

  private static boolean work(Engine one, Engine other) {
    boolean worked = one.work();
    return other.work() || worked;
  }

  private static long statuses(Engine of) {
    return of.transport().counters().get(Count.STATUS_OUT);
  }

  /** On a machine with cold caches: the answer, which comes next, takes them along. */
  @Test
  void firstFramesAfterAPauseMakeNothingOverdue() {
    Engine asks = engine(0, System::nanoTime, Users.hears("onRecord", () -> answered++));
    Engine answers =
        engine(
            1,
            () -> System.nanoTime() + shiftNs,
            Users.hears(
                "onRecord",
                () -> {
                  asked++;
                  shiftNs += slowNs;
                }));
    try (UdpNic one = loopback(asks);
        UdpNic other = loopback(answers)) {
      long since = System.nanoTime();
      asks.add(one);
      answers.add(other);
      asks.addPeer(1, List.of(other.address()));
      answers.addPeer(0, List.of(one.address()));
      long alone;
      do { // until both know the association, and an answer took the status along
        alone = statuses(answers);
        int exchanges = answered;
        send(asks, 1);
        while (asked == exchanges) {
          assertThat(System.nanoTime() - since).isLessThan(PATIENCE_NS);
          boolean _ = work(asks, answers);
        }
        send(answers, 0);
        while (answered == exchanges) {
          assertThat(System.nanoTime() - since).isLessThan(PATIENCE_NS);
          boolean _ = work(answers, asks);
        }
      } while (answered < 100 || statuses(answers) > alone);
      long lastNs = System.nanoTime();
      while (System.nanoTime() - lastNs < QUIET_NS) {
        assertThat(System.nanoTime() - since).isLessThan(PATIENCE_NS);
        lastNs = work(asks, answers) ? System.nanoTime() : lastNs;
      }

      slowNs = SLOW_NS;
      int now = asked;
      send(asks, 1);
      long before = statuses(answers);
      while (asked == now) {
        assertThat(System.nanoTime() - since).isLessThan(PATIENCE_NS);
        boolean _ = asks.work(); // a record may wait for others to leave with
        before = statuses(answers);
        boolean _ = answers.work();
      }
      assertThat(statuses(answers)).as("in the round that brought the frame").isEqualTo(before);
      while (statuses(answers) == before) {
        assertThat(System.nanoTime() - since).isLessThan(PATIENCE_NS);
        boolean _ = answers.work(); // nobody answered, and so it leaves alone
      }
    }
  }

  /** Who looks in vain reads the clock seldom, but what is due is done. */
  @Test
  void idleRoundsReadTheClockSeldom() {
    long[] clock = {1, 0};
    LongSupplier counted =
        () -> {
          clock[1]++;
          return clock[0];
        };
    Engine asks = engine(0, 8, 1_000_000, counted, Users.hears("onRecord", () -> answered++));
    Engine answers = engine(1, System::nanoTime, Users.hears("onRecord", () -> asked++));
    try (UdpNic one = loopback(asks);
        UdpNic other = loopback(answers)) {
      asks.add(one);
      answers.add(other);
      asks.addPeer(1, List.of(other.address()));
      answers.addPeer(0, List.of(one.address()));
      send(asks, 1);
      assertThat(asks.dueInNs()).isLessThanOrEqualTo(1_000_000);
      clock[1] = 0;
      for (int i = 0; i < 800; i++) {
        boolean _ = asks.work();
      }
      assertThat(clock[1]).isBetween(100L, 110L);
      clock[0] += 10_000_000; // what was sent is sent again
      long before = asks.transport().counters().get(Count.FRAMES_OUT);
      for (int i = 0; i < 8; i++) {
        boolean _ = asks.work();
      }
      assertThat(asks.transport().counters().get(Count.FRAMES_OUT)).isGreaterThan(before);
    }
  }

  private Engine engineOf(int rank, int size, Runnable onRecord) {
    NodeConfig config =
        new NodeConfig(
            "clock", "n", rank, size, Path.of("."), "127.0.0.1", List.of("udp"), ".", PATIENCE_NS);
    return new Engine(
        Node.engineConfig(config, rank, 1 + rank, 1472),
        () -> System.nanoTime() + shiftNs,
        Users.hears("onRecord", onRecord));
  }

  /** Where few share what a receiver may hold, a stream keeps what it works with. */
  @ParameterizedTest
  @CsvSource({"2, true", "16, true", "17, false"})
  void aSecondOfSilencePutsNothingAwayInASmallCluster(int size, boolean keeps) {
    Engine asks = engineOf(0, size, () -> answered++);
    Engine answers = engineOf(1, size, () -> asked++);
    try (UdpNic one = loopback(asks);
        UdpNic other = loopback(answers)) {
      long since = System.nanoTime();
      asks.add(one);
      answers.add(other);
      asks.addPeer(1, List.of(other.address()));
      answers.addPeer(0, List.of(one.address()));
      send(asks, 1);
      while (asked == 0) {
        assertThat(System.nanoTime() - since).isLessThan(PATIENCE_NS);
        boolean _ = work(asks, answers);
      }
      send(answers, 0);
      while (answered == 0) {
        assertThat(System.nanoTime() - since).isLessThan(PATIENCE_NS);
        boolean _ = work(answers, asks);
      }
      assertThat(answers.transport().busyParts()).isPositive();
      shiftNs += 1_000_000_000;
      for (int i = 0; i < 1000; i++) {
        boolean _ = work(asks, answers);
      }
      assertThat(answers.transport().busyParts() > 0).isEqualTo(keeps);
    }
  }
}

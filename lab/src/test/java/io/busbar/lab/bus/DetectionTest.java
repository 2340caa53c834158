package io.busbar.lab.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.bus.BusConfig.Times;
import io.busbar.bus.Member;
import io.busbar.bus.MemberState;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How soon a death is noticed, and how often somebody is accused who lives: the two are set
 * together, and the table in the design note has them together.
 */
class DetectionTest {
  private static final long SECOND_NS = BusCluster.SECOND_NS;
  private static final long MS = 1_000_000;

  private static BusCluster settled(long seed, int nodes) {
    return settled(seed, nodes, Times.DEFAULT);
  }

  private static BusCluster settled(long seed, int nodes, Times times) {
    BusCluster cluster = new BusCluster(seed, nodes, times);
    for (int port = 0; port < nodes; port++) {
      cluster.start(port);
    }
    assertThat(cluster.runUntil(BusCluster::isConverged, 5 * SECOND_NS)).isNotNegative();
    cluster.runFor(SECOND_NS + cluster.random.nextLong(SECOND_NS));
    return cluster;
  }

  /** How long until the last of all knows, in milliseconds. */
  private static long noticedMs(long seed, int nodes) {
    return noticedMs(seed, nodes, Times.DEFAULT);
  }

  private static long noticedMs(long seed, int nodes, Times times) {
    BusCluster cluster = settled(seed, nodes, times);
    int id = cluster.node(1).bus().id();
    cluster.node(1).kill();
    long took = cluster.runUntil(all -> isDeadToAll(all, id), 10 * SECOND_NS);
    assertThat(took).isNotNegative();
    return took / MS;
  }

  private static boolean isDeadToAll(BusCluster cluster, int id) {
    return cluster.nodes().stream()
        .filter(BusNode::isRunning)
        .map(node -> Objects.requireNonNull(BusCluster.known(node, id)))
        .map(Member::state)
        .allMatch(MemberState.DEAD::equals);
  }

  /** With defaults: less than 2 s, with a margin for the machine's own delays. */
  @ParameterizedTest
  @CsvSource({"2, 40", "3, 40", "8, 40", "16, 20", "64, 2"})
  void aDeathIsNoticedInTime(int nodes, int deaths) {
    long[] tookMs = new long[deaths];
    for (int i = 0; i < deaths; i++) {
      tookMs[i] = noticedMs(1 + i, nodes);
    }
    Arrays.sort(tookMs);
    System.out.printf(
        "%d nodes: a death is noticed by all after %d ms, at most %d, of %d deaths%n",
        nodes, tookMs[deaths / 2], tookMs[deaths - 1], deaths);
    assertThat(tookMs[deaths - 1]).as("the slowest").isLessThan(nodes > 31 ? 2_200 : 1_800);
    assertThat(tookMs[0]).as("nobody is buried early").isGreaterThan(1_000);
  }

  /** Whoever sees the end of a process says so; on its word alone nobody is buried. */
  @Test
  void aProcessThatIsSeenToEndIsDeadAtOnce() {
    BusCluster cluster = settled(5, 8);
    BusNode witness = cluster.node(0);
    Member victim = Objects.requireNonNull(BusCluster.known(witness, cluster.node(1).bus().id()));
    cluster.node(1).kill();
    witness.bus().onProcessEnded(cluster.nowNs(), victim.id(), victim.incarnation() - 1);
    assertThat(witness.events()).doesNotContain("died " + victim.id());
    witness.bus().onProcessEnded(cluster.nowNs(), victim.id(), victim.incarnation());
    assertThat(witness.events()).contains("died " + victim.id());
    witness.runNow();
    cluster.runFor(20 * MS);
    assertThat(cluster.node(2).events())
        .contains("suspected " + victim.id())
        .doesNotContain("died " + victim.id());
    assertThat(cluster.runUntil(all -> isDeadToAll(all, victim.id()), 1_100 * MS)).isNotNegative();
  }

  /** A node that stands still for less than a suspicion lasts is not taken for dead. */
  @ParameterizedTest
  @ValueSource(ints = {2, 8, 32})
  void aSecondOfSleepIsForgiven(int nodes) {
    BusCluster cluster = settled(3, nodes);
    for (int i = 0; i < 20; i++) {
      cluster.node(i % nodes).pause(SECOND_NS);
      cluster.runFor(3 * SECOND_NS + cluster.random.nextLong(SECOND_NS));
    }
    assertThat(cluster.nodes())
        .allSatisfy(node -> assertThat(node.events()).noneMatch(event -> event.startsWith("died")));
    assertThat(cluster.nodes().stream().flatMap(node -> node.events().stream()))
        .as("it is noticed, though")
        .anyMatch(event -> event.startsWith("cleared"));
  }

  /** Before a second question was asked, two nodes accused each other 3,473 times at 5 %. */
  @ParameterizedTest
  @CsvSource({
    "2, 0.01, 100",
    "2, 0.05, 800",
    "2, 0.1, 2500",
    "8, 0.01, 0",
    "8, 0.05, 200",
    "8, 0.1, 3000"
  })
  void whoLivesIsSeldomAccusedAndNotBuried(int nodes, double loss, long inAnHour) {
    BusCluster cluster = settled(7, nodes);
    cluster.faults.loss = loss;
    long seconds = 600;
    cluster.runFor(seconds * SECOND_NS);
    long suspected = count(cluster, "suspected") * 3600 / seconds;
    System.out.printf(
        "%d nodes, %.0f %% loss: %d suspicions, %d deaths in an hour%n",
        nodes, 100 * loss, suspected, count(cluster, "died"));
    assertThat(suspected).isLessThanOrEqualTo(inAnHour);
    assertThat(count(cluster, "died")).isZero();
  }

  /** Who halves the period hears of a death in half the time, and accuses twice as often. */
  @ParameterizedTest
  @CsvSource({"0.25", "0.5", "2"})
  void thePeriodSetsBothTogether(double share) {
    Times times =
        Times.DEFAULT.withPeriodNs(
            (long) (share * Times.DEFAULT.periodNs()), (long) (share * Times.DEFAULT.answerNs()));
    long[] tookMs = new long[20];
    long[] usualMs = new long[20];
    for (int i = 0; i < tookMs.length; i++) {
      tookMs[i] = noticedMs(1 + i, 8, times);
      usualMs[i] = noticedMs(1 + i, 8);
    }
    Arrays.sort(tookMs);
    Arrays.sort(usualMs);
    double sooner = (double) tookMs[10] / usualMs[10];
    double oftener = (double) suspicions(times) / suspicions(Times.DEFAULT);
    System.out.printf(
        "%.2f of the period: noticed after %.2f of the time, %.2f as many suspicions%n",
        share, sooner, oftener);
    assertThat(sooner).isBetween(0.8 * share, 1.2 * share);
    assertThat(oftener).isBetween(0.6 / share, 1.6 / share);
  }

  /** In half an hour of eight nodes, one frame in ten of which is lost. */
  private static long suspicions(Times times) {
    BusCluster cluster = settled(7, 8, times);
    cluster.faults.loss = 0.1;
    cluster.runFor(1_800 * SECOND_NS);
    return count(cluster, "suspected");
  }

  private static long count(BusCluster cluster, String what) {
    return cluster.nodes().stream()
        .flatMap(node -> node.events().stream())
        .filter(event -> event.startsWith(what))
        .count();
  }
}

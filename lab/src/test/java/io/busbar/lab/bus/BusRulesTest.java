package io.busbar.lab.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.bus.BusConfig;
import io.busbar.bus.BusCount;
import io.busbar.wire.ClusterName;
import org.junit.jupiter.api.Test;

/** What the design note of membership says besides, rule by rule. */
class BusRulesTest {
  private static final long SECOND_NS = BusCluster.SECOND_NS;
  private static final long MS = 1_000_000;

  private static BusCluster started(long seed, int nodes) {
    BusCluster cluster = new BusCluster(seed, nodes);
    for (int port = 0; port < nodes; port++) {
      cluster.start(port);
    }
    assertThat(cluster.runUntil(BusCluster::isConverged, 5 * SECOND_NS)).isNotNegative();
    return cluster;
  }

  private static BusConfig claiming(int port, long life, long seed) {
    return new BusConfig(
        ClusterName.hash("lab"),
        BusConfig.CLAIM,
        life,
        taken -> BusNode.card(port),
        seed,
        BusCluster.FRAME_BYTES,
        64,
        BusConfig.Times.DEFAULT);
  }

  /** Nodes with one seed draw the same ids, one after the other. */
  @Test
  void ofTwoThatClaimOneIdAtOnceTheEarlierLifeGetsIt() {
    BusCluster cluster = new BusCluster(1, 4);
    cluster.start(0);
    cluster.runFor(SECOND_NS);
    cluster.node(2).start(claiming(2, 2000, 77), true);
    cluster.node(1).start(claiming(1, 1000, 77), true);
    cluster.runFor(50 * MS);
    assertThat(cluster.node(1).bus().isMember()).isFalse();
    assertThat(cluster.node(0).bus().size()).as("who claims is no member yet").isEqualTo(1);
    assertThat(cluster.runUntil(BusCluster::isConverged, SECOND_NS)).isNotNegative();
    int id = cluster.node(1).bus().id();
    assertThat(cluster.node(2).bus().id()).isNotEqualTo(id);
    assertThat(cluster.node(0).events())
        .as("nobody had to give back an id that was taken")
        .containsOnlyOnce("joined " + id)
        .noneMatch(event -> event.startsWith("restarted") || event.startsWith("left"));

    cluster.node(3).start(claiming(3, 500, 77), true); // an earlier life, which comes too late
    assertThat(cluster.runUntil(BusCluster::isConverged, 2 * SECOND_NS)).isNotNegative();
    assertThat(cluster.node(1).bus().id()).as("who has an id keeps it").isEqualTo(id);
  }

  @Test
  void theDeadAreProbedEverySecondAndForgottenAfterTenMinutes() {
    BusCluster cluster = started(2, 2);
    int id = cluster.node(1).bus().id();
    cluster.node(1).kill();
    cluster.runFor(5 * SECOND_NS);
    long before = cluster.node(0).bus().count(BusCount.PROBES_OUT);
    cluster.runFor(60 * SECOND_NS);
    assertThat(cluster.node(0).bus().count(BusCount.PROBES_OUT) - before).isBetween(50L, 80L);
    cluster.runFor(530 * SECOND_NS);
    assertThat(BusCluster.known(cluster.node(0), id)).isNotNull();
    long view = cluster.node(0).bus().viewNumber();
    cluster.runFor(15 * SECOND_NS);
    assertThat(cluster.node(0).bus().viewNumber()).as("that is another view").isGreaterThan(view);
    assertThat(BusCluster.known(cluster.node(0), id)).isNull();
  }

  @Test
  void whoHasLeftIsNotProbed() {
    BusCluster cluster = started(3, 2);
    cluster.node(1).leave();
    cluster.runFor(SECOND_NS);
    long before = cluster.node(0).bus().count(BusCount.PROBES_OUT);
    cluster.runFor(60 * SECOND_NS);
    assertThat(cluster.node(0).bus().count(BusCount.PROBES_OUT)).isEqualTo(before);
  }

  /** Half of them die at once: each of the others has much to tell. */
  @Test
  void newsAreToldAtMostEveryTenMilliseconds() {
    BusCluster cluster = started(4, 48);
    for (int port = 0; port < 24; port++) {
      cluster.node(port).kill();
    }
    long[] before = new long[48];
    long most = 0;
    for (int tick = 0; tick < 40; tick++) {
      for (int port = 24; port < 48; port++) {
        long told = cluster.node(port).bus().count(BusCount.NEWS_OUT);
        most = tick == 0 ? most : Math.max(most, told - before[port]);
        before[port] = told;
      }
      cluster.runFor(100 * MS);
    }
    assertThat(most).as("frames of news in a tenth of a second").isBetween(2L, 11L);
    assertThat(cluster.runUntil(BusCluster::isConverged, 10 * SECOND_NS)).isNotNegative();
  }
}

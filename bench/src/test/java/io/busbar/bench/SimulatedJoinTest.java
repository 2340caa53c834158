package io.busbar.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.transport.Count;
import org.junit.jupiter.api.Test;

/** Clusters that join in virtual time: as many frames as the protocol says, for every seed. */
class SimulatedJoinTest {
  @Test
  void nodesKnowTheirNeighboursAndFingers() {
    assertThat(Acquaintance.FINGERS.of(6, 8)).containsExactly(0, 2, 5, 7);
    assertThat(Acquaintance.FINGERS.of(0, 8)).containsExactly(1, 2, 4, 7);
    assertThat(Acquaintance.FINGERS.of(1, 2)).containsExactly(0);
    assertThat(Acquaintance.FINGERS.of(0, 1)).isEmpty();
    assertThat(Acquaintance.FINGERS.count(4096)).isEqualTo(4096 * 13);
    assertThat(Acquaintance.ONE.of(0, 8)).isEmpty();
    assertThat(Acquaintance.ONE.count(8)).isEqualTo(7);
  }

  /**
   * First contact with a life costs a round trip: FIRST, DIAG with the life, FIRST, its answer
   * (docs/design/003). Nothing is lost, so there is nothing else.
   */
  @Test
  void firstContactIsTwoRoundTripsAndNothingElse() {
    SimulatedJoin cluster = new SimulatedJoin(16, Acquaintance.ONE, 3);
    assertThat(cluster.join()).isBetween(40e-6, 80e-6);
    cluster.rest();
    assertThat(cluster.count(Count.DATA_OUT)).as("FIRSTs").isEqualTo(2 * 15);
    assertThat(cluster.count(Count.DIAGS_OUT)).as("lives told").isEqualTo(15);
    assertThat(cluster.count(Count.STATUS_OUT)).as("answers").isEqualTo(15);
    assertThat(cluster.frames()).isEqualTo(4 * 15);
  }

  @Test
  void aSeedRepeatsToTheFrame() {
    SimulatedJoin one = new SimulatedJoin(64, Acquaintance.FINGERS, 5);
    SimulatedJoin same = new SimulatedJoin(64, Acquaintance.FINGERS, 5);
    SimulatedJoin other = new SimulatedJoin(64, Acquaintance.FINGERS, 6);
    double seconds = one.join();
    assertThat(same.join()).isEqualTo(seconds);
    assertThat(other.join()).isNotEqualTo(seconds);
    assertThat(same.frames()).isEqualTo(one.frames());
  }

  @Test
  void aClusterIsReportedFromItsStartToItsRest() {
    Listening report = new Listening();
    new ScaleBench().join(report, 64, Acquaintance.FINGERS, 7);
    assertThat(report.figures)
        .extracting(Figure::metric)
        .containsExactly("join_time", "frames_per_join", "state_bytes");
    assertThat(report.figures).allMatch(figure -> figure.scene().equals("sim-fingers-n64"));
    assertThat(report.figures).allMatch(figure -> figure.extra().containsKey("seed"));
    assertThat(report.figures.get(1).systems().get("busbar")).isBetween(2.0, 4.5);
    assertThat(report.figures.get(2).systems().get("busbar"))
        .as("14 ends at rest, and paths to their nodes")
        .isBetween(1_000.0, 60_000.0);
  }
}

package io.busbar.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.lab.LinkSpec;
import org.junit.jupiter.api.Test;

/** The aims that hold on any machine, because time is simulated or bytes are counted. */
class TransportAimsTest {
  private static final long MS = 1_000_000;

  private static double share(double loss) {
    return new SimulatedLine(1, loss, 7).run(20 * MS, 100 * MS);
  }

  @Test
  void randomLossCostsLittle() {
    double lossless = share(0);
    assertThat(lossless).isGreaterThan(0.98);
    assertThat(share(0.001) / lossless).isGreaterThan(0.98);
    assertThat(share(0.01) / lossless).isGreaterThan(0.90);
    assertThat(share(0.05) / lossless).isGreaterThan(0.60);
  }

  @Test
  void sixteenSendersFillTheLinkAndShareItFairly() {
    SimulatedLine line = new SimulatedLine(16, 0, 11);
    assertThat(line.run(50 * MS, 150 * MS)).isGreaterThan(0.90);
    assertThat(line.fairness()).isGreaterThan(0.9);
  }

  @Test
  void manyMoreSendersDoNotCollapse() {
    assertThat(new SimulatedLine(128, 0, 11).run(50 * MS, 100 * MS)).isGreaterThan(0.90);
  }

  @Test
  void slowLinesAreFilledToo() {
    LinkSpec slow = new LinkSpec(100_000_000L, 10_000, 100, 256);
    assertThat(new SimulatedLine(1, 0, 7, slow).run(50 * MS, 200 * MS)).isGreaterThan(0.95);
  }

  @Test
  void anAssociationAtRestIsSmall() {
    assertThat(new StateSize(200_000).idleBytes()).isBetween(50.0, 160.0);
  }
}

package io.busbar.bench.modes;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.bench.Aim;
import io.busbar.bench.Figure;
import io.busbar.bench.Listening;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every mode is measured beside its floor, and allocates nothing. */
@Timeout(120)
@Tag("long")
class ModesBenchTest {
  @Test
  void everyModeHasItsFigure() {
    Listening report = new Listening();
    ModesBench bench = new ModesBench();
    bench.measure(report, 64, new ModesBench.Modes(true, false, true), 500_000, 3);
    assertThat(report.figures)
        .extracting(Figure::scene)
        .containsExactly(
            "shm-send-pio",
            "shm-send-copy",
            "shm-send-direct",
            "shm-send-virtual",
            "shm-send-exchange",
            "shm-receive-copy",
            "shm-receive-direct",
            "shm-receive-virtual",
            "shm-receive-exchange");
    assertThat(report.figures).extracting(Figure::metric).containsOnly("bandwidth_touched");
    assertThat(report.figures)
        .allSatisfy(
            figure -> {
              assertThat(figure.systems()).containsOnlyKeys("busbar", "floor");
              assertThat(figure.ratios()).containsOnlyKeys("floor");
            });
  }

  /** On loopback the kernel copies every datagram, and the figure says so. */
  @Test
  void datagramsSayThatTheyWereCopied() {
    Listening report = new Listening();
    new ModesBench().datagrams(report, 4096, 500_000, 3);
    assertThat(report.figures).hasSize(1);
    Figure figure = report.figures.getFirst();
    assertThat(figure.scene()).isEqualTo("udp-send-virtual");
    assertThat(figure.systems()).containsOnlyKeys("busbar", "floor");
    assertThat(figure.extra()).containsEntry("copied_share", 1.0);
  }

  @Test
  void noModeAllocates() {
    Listening report = new Listening();
    ModesBench bench = new ModesBench();
    bench.measure(report, 64 << 10, new ModesBench.Modes(true, false, false), 50_000_000, 3);
    assertThat(report.figures)
        .filteredOn(figure -> figure.metric().equals("bytes_per_message"))
        .hasSize(9)
        .allSatisfy(
            figure ->
                assertThat(figure.aims().getFirst().judge(figure))
                    .as("%s: %s", figure.scene(), figure.systems())
                    .isEqualTo(Aim.Verdict.MET));
  }
}

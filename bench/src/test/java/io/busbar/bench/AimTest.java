package io.busbar.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.bench.Aim.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When an aim is met, and how it is said. */
class AimTest {
  private static Figure figure(double busbar, double floor) {
    return new Rounds()
        .system("busbar", () -> busbar)
        .system("floor", () -> floor)
        .system("aeron", () -> Double.NaN)
        .run(0, 3)
        .figure(Figure.plain("x", "shm", 64, "rtt_p50", "us", "lower"));
  }

  @Test
  void ratioIsComparedWithTheFactor() {
    Aim aim = Aim.atMost(1.5, "floor");
    assertThat(aim.judge(figure(1.5, 1))).isEqualTo(Verdict.MET);
    assertThat(aim.judge(figure(1.51, 1))).isEqualTo(Verdict.MISSED);
    assertThat(Aim.atLeast(0.25, "floor").judge(figure(0.25, 1))).isEqualTo(Verdict.MET);
    assertThat(Aim.atLeast(0.25, "floor").judge(figure(0.24, 1))).isEqualTo(Verdict.MISSED);
  }

  @Test
  void valueIsComparedWithTheBound() {
    assertThat(Aim.atMost(0.5).judge(figure(0.5, 9))).isEqualTo(Verdict.MET);
    assertThat(Aim.atMost(0.5).judge(figure(0.6, 9))).isEqualTo(Verdict.MISSED);
    assertThat(Aim.atLeast(3).judge(figure(2, 1))).isEqualTo(Verdict.MISSED);
  }

  @Test
  void zeroAllowsWhatTheHarnessAdds() {
    assertThat(Aim.zero().judge(figure(0.004, 1))).isEqualTo(Verdict.MET);
    assertThat(Aim.zero().judge(figure(0.01, 1))).isEqualTo(Verdict.MISSED);
  }

  @Test
  void nothingIsSaidOfASystemThatIsMissing() {
    assertThat(Aim.atMost(0.6, "aeron").judge(figure(1, 1))).isEqualTo(Verdict.UNKNOWN);
    assertThat(Aim.atMost(0.6, "nosuch").judge(figure(1, 1))).isEqualTo(Verdict.UNKNOWN);
  }

  @Test
  void aValueThatBusbarNeverReachedIsMissed() {
    Figure plain = Figure.plain("x", "shm", 0, "half_power_bytes", "B", "lower");
    assertThat(Aim.atMost(1024).judge(plain)).isEqualTo(Verdict.UNKNOWN);
    assertThat(Aim.atMost(1024).judge(plain.with("busbar", null))).isEqualTo(Verdict.MISSED);
  }

  @Test
  void lineSaysAimAndVerdict() {
    Figure figure =
        figure(3, 2)
            .aims(
                Aim.atMost(1.5, "floor"), Aim.atMost(0.6, "aeron"), Aim.atMost(0), Aim.atLeast(3));
    assertThat(figure.readable())
        .contains("aeron missing")
        .endsWith(
            "[aim: <= 1.5 x floor: met; <= 0.6 x aeron: not measured; <= 0: missed; >= 3: met]");
    assertThat(figure.aims(Aim.zero(), Aim.atLeast(0.25, "floor")).json())
        .contains(",\"aims\":[{\"at_most\":0},{\"at_least\":0.25,\"of\":\"floor\"}],");
    assertThat(figure.aims(List.of()).json()).doesNotContain("aim");
    assertThat(figure.aims(List.of()).readable()).doesNotContain("aim");
  }
}

package io.busbar.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The congestion window follows standing queues, and little else. */
class CongestionWindowTest {
  private static final int FRAME = 1_000;
  private static final long MOST = 1_000_000;
  private static final long TARGET_NS = 50_000;
  private static final long BASE_NS = 20_000;

  private final CongestionWindow window = new CongestionWindow(FRAME, MOST, TARGET_NS);
  private long nowNs;

  /** One round trip in which the whole window was sent. */
  private void round(long sampleNs, double lossShare, boolean limited) {
    nowNs += sampleNs;
    int frames = (int) Math.max(1, window.bytes() / FRAME);
    int lost = (int) Math.round(frames * lossShare);
    window.onSample(nowNs, sampleNs, FRAME);
    for (int i = 0; i < frames - lost; i++) {
      window.onAcked(FRAME, limited);
    }
    window.onLost(lost * FRAME);
    window.onRound(nowNs);
  }

  private void grow() {
    for (int i = 0; i < 4; i++) {
      round(BASE_NS, 0, true);
    }
  }

  @Test
  void beginsWithTenFrames() {
    assertThat(window.bytes()).isEqualTo(10 * FRAME);
  }

  @Test
  void doublesEachRoundAtFirst() {
    round(BASE_NS, 0, true);
    assertThat(window.bytes()).isEqualTo(20 * FRAME);
    round(BASE_NS, 0, true);
    assertThat(window.bytes()).isEqualTo(40 * FRAME);
  }

  @Test
  void staysWhereItIsNotTheWindowThatHoldsBack() {
    round(BASE_NS, 0, false);
    assertThat(window.bytes()).isEqualTo(10 * FRAME);
  }

  @Test
  void neverExceedsItsBound() {
    for (int i = 0; i < 100; i++) {
      round(BASE_NS, 0, true);
      assertThat(window.bytes()).isLessThanOrEqualTo(MOST);
    }
    assertThat(window.bytes()).isEqualTo(MOST);
  }

  @Test
  void shrinksWhenEvenTheLeastDelayOfARoundShowsAQueue() {
    grow();
    double before = window.bytes();
    round(10 * TARGET_NS, 0, false);
    assertThat(window.bytes()).isBetween(before / 2, before * 0.6);
  }

  @Test
  void jitterWithOneFastFrameARoundIsNoQueue() {
    grow();
    double before = window.bytes();
    for (int i = 0; i < 50; i++) {
      window.onSample(nowNs, 20 * TARGET_NS, FRAME);
      round(BASE_NS, 0, false);
    }
    assertThat(window.bytes()).isEqualTo(before);
  }

  @Test
  void aQueueBelowTheTargetIsTolerated() {
    grow();
    double before = window.bytes();
    for (int i = 0; i < 50; i++) {
      round(BASE_NS + TARGET_NS, 0, false);
    }
    assertThat(window.bytes()).isEqualTo(before);
  }

  @Test
  void shortFramesTellNothingAboutTheQueue() {
    grow();
    double before = window.bytes();
    window.onSample(nowNs, 1, FRAME / 4);
    for (int i = 0; i < 20; i++) {
      round(BASE_NS + TARGET_NS / 2, 0, false);
    }
    assertThat(window.bytes()).isEqualTo(before);
  }

  @Test
  void growsByAFrameARoundAfterItOnceShrank() {
    grow();
    round(10 * TARGET_NS, 0, false);
    double before = window.bytes();
    round(BASE_NS, 0, true);
    assertThat(window.bytes() - before).isBetween(0.8 * FRAME, 1.1 * FRAME);
  }

  @Test
  void fivePercentLossDoesNotShrinkIt() {
    grow();
    SplittableRandom random = new SplittableRandom(4);
    double least = window.bytes();
    for (int i = 0; i < 1_000; i++) {
      round(BASE_NS, random.nextDouble() * 0.1, true);
      assertThat(window.bytes()).isGreaterThanOrEqualTo(least);
    }
  }

  @Test
  void heavyLossShrinksItToLessThanAFrameButNeverToNothing() {
    grow();
    for (int i = 0; i < 2_000; i++) {
      window.onLost(FRAME);
      window.onRound(nowNs);
    }
    assertThat(window.bytes()).isEqualTo(FRAME / 32.0);
  }

  @Test
  void delayAloneLeavesAFewFrames() {
    grow();
    for (int i = 0; i < 10; i++) {
      round(10 * TARGET_NS, 0, false);
    }
    assertThat(window.bytes()).isBetween(1.0 * FRAME, 10.0 * FRAME);
  }

  @Test
  void aPathThatBecameLongerIsLearntByDraining() {
    grow();
    for (int i = 0; i < 10; i++) {
      round(10 * TARGET_NS, 0, true);
    }
    double shrunk = window.bytes();
    for (int i = 0; i < 40_000; i++) {
      round(10 * TARGET_NS, 0, true);
    }
    assertThat(window.bytes()).isGreaterThan(2 * shrunk);
  }

  @Test
  void silenceLeavesOneFrame() {
    grow();
    window.onSilence();
    assertThat(window.bytes()).isEqualTo(FRAME);
  }
}

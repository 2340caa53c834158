package io.busbar.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Round trip and the allowance for reordering: two organs that smooth. */
class RoundTripTest {
  private final RoundTrip trip = new RoundTrip(1_000_000, 500_000_000);
  private final ReorderAllowance allowance = new ReorderAllowance(2_000, 2_000_000);

  @Test
  void isAssumedUntilMeasured() {
    assertThat(trip.isMeasured()).isFalse();
    assertThat(trip.smoothNs()).isEqualTo(1_000_000);
    assertThat(trip.timeoutNs()).isGreaterThan(1_000_000);
  }

  @Test
  void theFirstSampleReplacesTheAssumption() {
    trip.onSample(20_000);
    assertThat(trip.isMeasured()).isTrue();
    assertThat(trip.smoothNs()).isEqualTo(20_000);
    assertThat(trip.timeoutNs()).isEqualTo(60_000);
  }

  @Test
  void steadySamplesBringTheTimeoutNearTheRoundTrip() {
    for (int i = 0; i < 200; i++) {
      trip.onSample(20_000);
    }
    assertThat(trip.smoothNs()).isEqualTo(20_000);
    assertThat(trip.timeoutNs()).isBetween(25_000L, 25_100L);
  }

  @Test
  void jitterStaysBelowTheTimeout() {
    SplittableRandom random = new SplittableRandom(9);
    int missed = 0;
    for (int i = 0; i < 10_000; i++) {
      long sample = 20_000L + random.nextInt(20_000);
      missed += i > 50 && sample > trip.timeoutNs() ? 1 : 0;
      trip.onSample(sample);
    }
    assertThat(missed).isLessThan(50);
  }

  @Test
  void peerThatStoodStillSaysNothingAboutThePath() {
    for (int pause = 0; pause < 10; pause++) {
      trip.onSample(20_000);
      for (int i = 0; i < 7; i++) {
        trip.onSample(5_000_000_000L);
      }
    }
    assertThat(trip.smoothNs()).isEqualTo(20_000);
  }

  @Test
  void pathThatBecameLongIsLearnt() {
    trip.onSample(20_000);
    for (int i = 0; i < 100; i++) {
      trip.onSample(2_000_000_000L);
    }
    assertThat(trip.smoothNs()).isGreaterThan(1_900_000_000L);
  }

  @Test
  void samplesThatCannotBeCountAsTheLeast() {
    for (int i = 0; i < 1_000; i++) {
      trip.onSample(-5);
    }
    assertThat(trip.smoothNs()).isEqualTo(1);
    assertThat(trip.timeoutNs()).isPositive();
  }

  @Test
  void lateFramesRaiseTheAllowanceAtOnceAndByAQuarterMore() {
    allowance.onReordered(8_000);
    assertThat(allowance.ns()).isEqualTo(10_000);
    allowance.onReordered(4_000);
    assertThat(allowance.ns()).isEqualTo(10_000);
  }

  @Test
  void theAllowanceIsBounded() {
    allowance.onReordered(Long.MAX_VALUE / 2);
    assertThat(allowance.ns()).isEqualTo(2_000_000);
  }

  @Test
  void lossesBringTheAllowanceBackToItsLeast() {
    allowance.onReordered(1_000_000);
    long before = allowance.ns();
    allowance.onLoss();
    assertThat(allowance.ns()).isLessThan(before);
    for (int i = 0; i < 1_000; i++) {
      allowance.onLoss();
    }
    assertThat(allowance.ns()).isEqualTo(2_000);
  }
}

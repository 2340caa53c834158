package io.busbar.bus;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Losses halve what may be on its way, once a round trip; what arrives lets it grow again. */
class CastFlightTest {
  private static final long ROUND_NS = 1_000_000;

  @Test
  void lossesHalveItOnceARoundTrip() {
    CastFlight flight = new CastFlight();
    flight.onArrived(CastConfig.WINDOW_MAX);
    long whole = flight.frames();
    assertThat(whole).isEqualTo(CastConfig.WINDOW_MAX);
    flight.onLoss(10 * ROUND_NS, ROUND_NS);
    flight.onLoss(10 * ROUND_NS + ROUND_NS / 2, ROUND_NS);
    assertThat(flight.frames()).isEqualTo(whole / 2);
    flight.onLoss(12 * ROUND_NS, ROUND_NS);
    assertThat(flight.frames()).isEqualTo(whole / 4);
  }

  @Test
  void itGrowsByOneInAsManyAfterALossAndNotBeyondTheWindow() {
    CastFlight flight = new CastFlight();
    flight.onArrived(CastConfig.WINDOW_MAX);
    flight.onLoss(ROUND_NS, ROUND_NS);
    long half = flight.frames();
    flight.onArrived(half);
    assertThat(flight.frames()).isEqualTo(half + 1);
    for (int i = 0; i < 10_000; i++) {
      flight.onArrived(half);
    }
    assertThat(flight.frames()).isEqualTo(CastConfig.WINDOW_MAX);
    for (int i = 2; i < 30; i++) {
      flight.onLoss(2L * i * ROUND_NS, ROUND_NS);
    }
    assertThat(flight.frames()).as("it never stands still").isPositive();
  }
}

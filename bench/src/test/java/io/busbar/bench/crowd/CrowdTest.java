package io.busbar.bench.crowd;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.lab.bed.TestBed;
import org.junit.jupiter.api.Test;

/** Several hosts send to one, as each system in turns. */
class CrowdTest {
  private static final int HOSTS = 4;

  @Test
  void manySendToOne() {
    try (TestBed bed = TestBed.create(HOSTS);
        Crowd crowd =
            new Crowd(bed, HOSTS).enter("busbar", "messages").enter("tcp-nio", "tcp").connect()) {
      Crowd.Result floods = crowd.floods(64, 20_000_000, 2);
      assertThat(floods.rate().median("busbar")).isGreaterThan(1);
      assertThat(floods.rate().median("tcp-nio")).isGreaterThan(1);
      assertThat(floods.fairness().median("busbar")).isBetween(0.0, 1.0);
      assertThat(floods.p50Us().size()).isZero();

      Crowd.Result asks = crowd.asks(64, 64 << 10, 20_000_000, 2);
      assertThat(asks.p50Us().median("busbar")).isGreaterThan(1);
      assertThat(asks.p50Us().median("tcp-nio")).isGreaterThan(1);
      assertThat(asks.p99Us().median("busbar"))
          .isGreaterThanOrEqualTo(asks.p50Us().median("busbar"));
      assertThat(asks.rate().median("busbar")).isGreaterThan(1);
    }
  }

  @Test
  void tallyKnowsWhoWasFirstAndWhoWasLast() {
    long[] nowNs = {1_000};
    Tally tally = new Tally(3, 2, 2, 1, () -> nowNs[0]);
    tally.onMessage(0);
    nowNs[0] += 100;
    tally.onMessage(0);
    nowNs[0] += 900;
    tally.onMessage(1);
    assertThat(tally.isComplete()).isFalse();
    tally.onMessage(1);
    assertThat(tally.isComplete()).as("a farewell is missing").isFalse();
    tally.onFarewell();
    assertThat(tally.isComplete()).isTrue();
    assertThat(tally.fairPercent()).as("one had ended after a tenth of the time").isEqualTo(10);
  }
}

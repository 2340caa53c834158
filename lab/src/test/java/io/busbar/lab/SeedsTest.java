package io.busbar.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.transport.Count;
import io.busbar.transport.Ending;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Thousands of clusters, each drawn from its seed: every promise is kept in every one. */
class SeedsTest {
  /** These need another version, no free slot, or a peer that forgets within one life. */
  private static final Set<Ending> BEYOND_THE_LAB =
      EnumSet.of(Ending.VERSION_REFUSED, Ending.BUSY, Ending.UNKNOWN_AT_PEER);

  /** What a cluster that is tried hard enough must have met. */
  private static final Set<Count> MET =
      EnumSet.of(
          Count.REPAIRS_OUT,
          Count.REQUESTS_OUT,
          Count.DIAGS_OUT,
          Count.TIMEOUTS,
          Count.CREDIT_STALLS,
          Count.REORDERED,
          Count.DROP_TRUNCATED,
          Count.DROP_VERSION,
          Count.DROP_OPTIONS,
          Count.DROP_CRC_WRONG,
          Count.DROP_UNKNOWN_KEY,
          Count.DROP_WRONG_INCARNATION,
          Count.DROP_DUPLICATE,
          Count.DROP_NO_BUDGET,
          Count.DROP_NO_STORE,
          Count.DROP_READ_CLOSED,
          Count.DROP_STRAY_DIAG);

  @Test
  void aThousandSeeds() {
    Sweep sweep = Sweep.of(1, 1000);
    assertThat(sweep.faults).isEqualTo(EnumSet.allOf(FaultPlan.Kind.class));
    assertThat(sweep.endings).isEqualTo(EnumSet.complementOf(EnumSet.copyOf(BEYOND_THE_LAB)));
    assertThat(MET).allSatisfy(count -> assertThat(sweep.counts.get(count)).isPositive());
  }

  @Test
  @Tag("long")
  void twentyOneThousandMore() {
    Sweep.of(1001, 2000);
    for (long first = 100_001; first <= 120_000; first += 1000) {
      Sweep.of(first, first + 999);
    }
  }
}

package io.busbar.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** What cannot be found is refused before it is looked for. */
class DiscoveryConfigTest {
  @Test
  void noMoreAreExpectedThanAViewHolds() {
    assertThat(Discovery.onSegment().expecting(4096).expected()).isEqualTo(4096);
    for (int members : new int[] {0, 4097, 65_534}) {
      assertThatThrownBy(() -> Discovery.onSegment().expecting(members))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("expected is %d; allowed: 1 to 4096, as many as a view holds", members);
    }
  }
}

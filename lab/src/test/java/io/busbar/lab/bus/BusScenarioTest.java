package io.busbar.lab.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What {@code ./busbar lab bus} runs. */
class BusScenarioTest {
  @Test
  void aSeedTellsTheSameTwice() {
    List<String> lines = new ArrayList<>();
    BusOutcome once = new BusScenario(5, 0, null).run();
    BusOutcome again = new BusScenario(5, 0, lines::add).run();
    assertThat(again).isEqualTo(once);
    assertThat(once.ok()).isTrue();
    assertThat(lines.stream().filter(line -> line.contains("  sent  ")).count())
        .isEqualTo(once.frames());
    assertThat(new BusScenario(6, 0, null).run().traceHash()).isNotEqualTo(once.traceHash());
  }

  @Test
  void nodesAreDrawnOrGiven() {
    assertThat(new BusScenario(5, 3, null).run())
        .matches(BusOutcome::ok)
        .returns(3, BusOutcome::nodes);
    assertThatThrownBy(() -> new BusScenario(5, 1, null)).hasMessage("1 nodes; allowed: 2 to 256");
  }

  @Test
  void figuresCountWhatHappened() {
    BusOutcome outcome = new BusScenario(2, 8, null).run();
    assertThat(outcome.messages()).isPositive();
    assertThat(outcome.virtualNs()).isGreaterThan(40 * BusCluster.SECOND_NS);
    assertThat(outcome.frames()).isGreaterThan(outcome.repairs());
  }
}

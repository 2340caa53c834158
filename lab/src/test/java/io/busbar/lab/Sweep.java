package io.busbar.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.transport.Count;
import io.busbar.transport.Ending;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;

/** Many seeds, on all cores: runs share nothing. Every run is judged; the sum is kept. */
final class Sweep {
  final Set<FaultPlan.Kind> faults = EnumSet.noneOf(FaultPlan.Kind.class);
  final Set<Ending> endings = EnumSet.noneOf(Ending.class);
  final Map<Count, Long> counts = new EnumMap<>(Count.class);

  static Sweep of(long firstSeed, long lastSeed) {
    List<Outcome> outcomes =
        LongStream.rangeClosed(firstSeed, lastSeed)
            .parallel()
            .mapToObj(seed -> new Scenario(seed).run(null))
            .toList();
    Sweep sweep = new Sweep();
    outcomes.forEach(sweep::add);
    return sweep;
  }

  private void add(Outcome outcome) {
    String replay = "seed %d; replay: ./busbar lab --seed %1$d --trace".formatted(outcome.seed());
    assertThat(outcome.violation()).as(replay).isNull();
    assertThat(outcome.frames()).as(replay).isGreaterThanOrEqualTo(Scenario.FRAMES_MIN);
    assertThat(outcome.faults()).as(replay).hasSizeGreaterThanOrEqualTo(3);
    faults.addAll(outcome.faults());
    endings.addAll(outcome.endings().keySet());
    outcome.counts().forEach((count, amount) -> counts.merge(count, amount, Long::sum));
  }
}

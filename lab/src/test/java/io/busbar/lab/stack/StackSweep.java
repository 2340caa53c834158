package io.busbar.lab.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.lab.FaultPlan;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;

/** Many seeds of the whole stack, on all cores. Every run is judged; the sum is kept. */
final class StackSweep {
  final Set<FaultPlan.Kind> faults = EnumSet.noneOf(FaultPlan.Kind.class);
  final Set<Plot> plots = EnumSet.noneOf(Plot.class);
  long stalls;
  long caretakerWorks;
  long repairs;
  long losses;
  long refusals;
  long brokenOff;
  long timedOut;

  static StackSweep of(long firstSeed, long lastSeed) {
    List<StackOutcome> outcomes =
        LongStream.rangeClosed(firstSeed, lastSeed)
            .parallel()
            .mapToObj(seed -> new StackScenario(seed, null).run())
            .toList();
    StackSweep sweep = new StackSweep();
    outcomes.forEach(sweep::add);
    return sweep;
  }

  private void add(StackOutcome outcome) {
    assertThat(outcome.violation())
        .as("seed %d; replay: ./busbar lab messages --seed %1$d --trace", outcome.seed())
        .isNull();
    faults.addAll(outcome.faults());
    plots.add(outcome.plot());
    stalls += outcome.stalls();
    caretakerWorks += outcome.caretakerWorks();
    repairs += outcome.repairs();
    losses += outcome.losses();
    refusals += outcome.refusals();
    brokenOff += outcome.brokenOff();
    timedOut += outcome.timedOut();
  }
}

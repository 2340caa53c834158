package io.busbar.lab.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.lab.FaultPlan;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;

/** Many seeds of ranks, on all cores. Every run is judged; the sum is kept. */
final class MpiSweep {
  final Set<FaultPlan.Kind> faults = EnumSet.noneOf(FaultPlan.Kind.class);
  final Set<Manner> manners = EnumSet.noneOf(Manner.class);
  long messages;
  long collectives;
  long casts;
  long calledBack;
  long deaths;
  long errors;
  long repairs;

  static MpiSweep of(long firstSeed, long lastSeed) {
    List<MpiOutcome> outcomes =
        LongStream.rangeClosed(firstSeed, lastSeed)
            .parallel()
            .mapToObj(seed -> new MpiScenario(seed, 0, null).run())
            .toList();
    MpiSweep sweep = new MpiSweep();
    outcomes.forEach(sweep::add);
    return sweep;
  }

  private void add(MpiOutcome outcome) {
    assertThat(outcome.violation())
        .as("seed %d; replay: ./busbar lab mpi --seed %1$d --trace", outcome.seed())
        .isNull();
    faults.addAll(outcome.faults());
    manners.add(outcome.manner());
    messages += outcome.messages();
    collectives += outcome.collectives();
    casts += outcome.casts();
    calledBack += outcome.calledBack();
    deaths += outcome.deaths();
    errors += outcome.errors();
    repairs += outcome.repairs();
  }
}

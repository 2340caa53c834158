package io.busbar.lab;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How a run ended, whatever ran. */
public interface RunOutcome {
  /** Which run. */
  long seed();

  /** How many took part. */
  int nodes();

  /** Frames that entered the network. */
  long frames();

  /** Frames that were sent again. */
  long repairs();

  /** How long it took, in virtual time. */
  long virtualNs();

  /** A hash over what happened, and when. */
  long traceHash();

  /** The kinds of faults. */
  Set<FaultPlan.Kind> faults();

  /** What was violated, or null. */
  @Nullable Violation violation();

  /** Whether every promise was kept. */
  default boolean ok() {
    return violation() == null;
  }
}

package io.busbar.lab;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a run ended.
 *
 * @param seed which run
 * @param nodes how many took part
 * @param frames frames that entered the network
 * @param bytes bytes of streams that were delivered
 * @param repairs frames that were sent again
 * @param timeouts wait timers that ended
 * @param virtualNs how long it took, in virtual time
 * @param traceHash a hash over every frame, its time and its fate
 * @param faults the kinds of faults
 * @param violation what was violated, or null
 */
public record Outcome(
    long seed,
    int nodes,
    long frames,
    long bytes,
    long repairs,
    long timeouts,
    long virtualNs,
    long traceHash,
    Set<FaultPlan.Kind> faults,
    @Nullable Violation violation) {

  /** Whether every promise was kept. */
  public boolean ok() {
    return violation == null;
  }
}

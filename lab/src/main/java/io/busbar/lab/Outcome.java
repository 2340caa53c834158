package io.busbar.lab;

import io.busbar.transport.Count;
import io.busbar.transport.Ending;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a run ended.
 *
 * @param seed which run
 * @param nodes how many took part
 * @param frames frames that entered the network
 * @param bytes bytes of streams that were delivered
 * @param virtualNs how long it took, in virtual time
 * @param traceHash a hash over every frame, its time and its fate
 * @param faults the kinds of faults
 * @param counts what all transports of all lives counted, in sum
 * @param endings how often associations ended in each way
 * @param violation what was violated, or null
 */
public record Outcome(
    long seed,
    int nodes,
    long frames,
    long bytes,
    long virtualNs,
    long traceHash,
    Set<FaultPlan.Kind> faults,
    Map<Count, Long> counts,
    Map<Ending, Integer> endings,
    @Nullable Violation violation)
    implements RunOutcome {

  /** How often something happened, over all nodes and lives. */
  public long count(Count count) {
    return counts.getOrDefault(count, 0L);
  }

  @Override
  public long repairs() {
    return count(Count.REPAIRS_OUT);
  }

  /** Wait timers that ended. */
  public long timeouts() {
    return count(Count.TIMEOUTS);
  }
}

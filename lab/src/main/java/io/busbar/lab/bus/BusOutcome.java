package io.busbar.lab.bus;

import io.busbar.lab.FaultPlan;
import io.busbar.lab.RunOutcome;
import io.busbar.lab.Violation;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a run of the bus ended.
 *
 * @param seed which run
 * @param nodes how many took part
 * @param frames frames that entered the network; one to everyone is one
 * @param messages messages that were said to all
 * @param repairs frames of them that were sent again
 * @param virtualNs how long it took, in virtual time
 * @param traceHash a hash over every frame, its times and fates
 * @param faults the kinds of faults
 * @param violation what was violated, or null
 */
public record BusOutcome(
    long seed,
    int nodes,
    long frames,
    long messages,
    long repairs,
    long virtualNs,
    long traceHash,
    Set<FaultPlan.Kind> faults,
    @Nullable Violation violation)
    implements RunOutcome {}

package io.busbar.lab.mpi;

import io.busbar.lab.FaultPlan;
import io.busbar.lab.RunOutcome;
import io.busbar.lab.Violation;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a run of ranks ended.
 *
 * @param seed which run
 * @param nodes how many ranks took part
 * @param manner what they did about errors
 * @param frames frames that entered the network
 * @param messages messages that were received and compared
 * @param bytes their bytes
 * @param collectives collectives that were compared, each rank's
 * @param calledBack sends that were called back before anybody had received them
 * @param casts messages of collectives that went to all at once, by the bus
 * @param deaths ranks that were killed
 * @param errors operations that failed because of that
 * @param repairs frames that were sent again
 * @param virtualNs how long it took, in virtual time
 * @param traceHash a hash over every frame and what programs did, their times and fates
 * @param faults the kinds of faults
 * @param violation what was violated, or null
 */
public record MpiOutcome(
    long seed,
    int nodes,
    Manner manner,
    long frames,
    long messages,
    long bytes,
    long collectives,
    long calledBack,
    long casts,
    int deaths,
    long errors,
    long repairs,
    long virtualNs,
    long traceHash,
    Set<FaultPlan.Kind> faults,
    @Nullable Violation violation)
    implements RunOutcome {}

package io.busbar.lab.stack;

import io.busbar.lab.FaultPlan;
import io.busbar.lab.RunOutcome;
import io.busbar.lab.Violation;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a run of the whole stack ended.
 *
 * @param seed which run
 * @param plot what it was about
 * @param nodes how many took part
 * @param frames frames that entered the network
 * @param messages messages that were handled
 * @param bytes their bytes
 * @param stalls how often a lane took nothing more for a while
 * @param caretakerWorks how often the network went on while a program did something else
 * @param repairs frames that were sent again
 * @param losses how often a program was told that a node is gone
 * @param refusals sends that were refused because handlers had sent too much
 * @param brokenOff messages that were broken off when their handlers had begun
 * @param timedOut sends that were given up for want of room
 * @param virtualNs how long it took, in virtual time
 * @param traceHash a hash over every frame and message, their times and fates
 * @param faults the kinds of faults
 * @param violation what was violated, or null
 */
public record StackOutcome(
    long seed,
    Plot plot,
    int nodes,
    long frames,
    long messages,
    long bytes,
    long stalls,
    long caretakerWorks,
    long repairs,
    long losses,
    long refusals,
    long brokenOff,
    long timedOut,
    long virtualNs,
    long traceHash,
    Set<FaultPlan.Kind> faults,
    @Nullable Violation violation)
    implements RunOutcome {}

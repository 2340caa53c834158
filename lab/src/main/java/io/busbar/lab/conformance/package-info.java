/**
 * What every carrier keeps: the contract of {@link io.busbar.fabric.Nic}, as checks that can fail.
 *
 * <p><b>Owns</b> the checks ({@link io.busbar.lab.conformance.NicConformance}) and what a carrier
 * supplies to be checked ({@link io.busbar.lab.conformance.NicRig}); where frames need a header to
 * find their way, an envelope for any bytes ({@link io.busbar.lab.conformance.EnvelopeNic}). Where
 * the contract leaves a choice the kit decides: a sender does not hear its own broadcast; a frame
 * whose receiver threw is not delivered again; a frame that is kept may be claimed again at any
 * time, and its name is worth nothing once it was released; what a peer sent before its end comes
 * before the notice; counters are live; who is opened again may have another number at the other
 * side; what is not announced is refused with an {@link UnsupportedOperationException}.
 *
 * <p><b>Never</b> knows a carrier: what an interface can do is read from its capabilities, and what
 * it does not announce it must refuse.
 *
 * <p><b>Threads</b>: a check runs on a thread of its own, under a watchdog; only the check of sleep
 * starts another one.
 *
 * <p><b>Invariants</b>: every check is caught failing by a test, on an interface that is broken on
 * purpose.
 *
 * <p><b>Read first</b>: {@link io.busbar.lab.conformance.NicRig}, then {@link
 * io.busbar.lab.conformance.NicConformance}.
 */
@NullMarked
package io.busbar.lab.conformance;

import org.jspecify.annotations.NullMarked;

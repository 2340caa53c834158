/**
 * What each guarantee costs: the layers from a bare call to messages with handlers, one added to
 * the other.
 *
 * <p><b>Owns</b> the experiment {@code guarantees} and the ladders; the systems are those of {@link
 * io.busbar.bench.contest}.
 *
 * <p><b>Never</b> compares figures of two runs, and never splits what the layers do as one.
 */
@NullMarked
package io.busbar.bench.guarantees;

import org.jspecify.annotations.NullMarked;

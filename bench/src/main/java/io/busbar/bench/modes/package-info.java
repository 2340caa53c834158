/**
 * Each way to send and each way to receive by size, against an infinitely fast peer: the two
 * figures of the paper on transfer modes (C16), for today's machine.
 *
 * <p><b>Owns</b> the experiment {@code modes}. Both ends are in one process and do the real mapping
 * and copying; the end that is not measured moves no data.
 *
 * <p><b>Never</b> lets a mode fall back silently where it is measured: exchange is forced from a
 * page on, and what cannot be had is missing, with the reason.
 */
@NullMarked
package io.busbar.bench.modes;

import org.jspecify.annotations.NullMarked;

/**
 * Measurements: the papers' tables and figures on the machine at hand, beside floor and peers.
 *
 * <p><b>Owns</b> the harness (paired, interleaved rounds, ratios with their spread), the floors,
 * and one class per experiment. What is printed is fixed: one object a line, stable keys.
 *
 * <p><b>Never</b> prints a figure without the floor or the peer that it is to be read against,
 * where there is one.
 *
 * <p><b>Threads</b>: the caller's; an experiment that needs more makes and ends them itself.
 *
 * <p><b>Read first</b>: {@link io.busbar.bench.Bench}, {@link io.busbar.bench.Rounds}, {@link
 * io.busbar.bench.Figure}.
 */
@NullMarked
package io.busbar.bench;

import org.jspecify.annotations.NullMarked;

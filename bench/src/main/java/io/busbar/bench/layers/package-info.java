/**
 * What the layers above deliver of what is below them.
 *
 * <p><b>Owns</b> the experiment {@code layers} and the list of faces; the systems are those of
 * {@link io.busbar.bench.contest}.
 *
 * <p><b>Never</b> compares figures of two runs: a share is taken within a round.
 */
@NullMarked
package io.busbar.bench.layers;

import org.jspecify.annotations.NullMarked;

/**
 * Fabrics beside the bare calls below them and java.nio.
 *
 * <p><b>Owns</b> the experiment {@code fabric}; the systems are those of {@link
 * io.busbar.bench.contest}.
 *
 * <p><b>Never</b> compares figures of two runs.
 */
@NullMarked
package io.busbar.bench.fabric;

import org.jspecify.annotations.NullMarked;

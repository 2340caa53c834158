/**
 * Fast Messages beside the bare fabrics, java.nio and peers.
 *
 * <p><b>Owns</b> the experiments {@code latency}, {@code bandwidth}, {@code rate}, {@code idle},
 * {@code loss}, {@code mix} and {@code line}, and their aims; the systems are those of {@link
 * io.busbar.bench.contest}.
 *
 * <p><b>Never</b> uses Busbar otherwise than a careful program would.
 *
 * <p><b>Read first</b>: {@link io.busbar.bench.messages.LatencyBench}.
 */
@NullMarked
package io.busbar.bench.messages;

import org.jspecify.annotations.NullMarked;

/**
 * Where a message of one byte spends its time, from the call that sends it to its handler.
 *
 * <p><b>Owns</b> the experiment {@code path}: stamps at the borders of user space, the kernel's own
 * events of the same messages from an instance of tracefs, and the pairing of both.
 *
 * <p><b>Never</b> adds what was not measured: a border that the kernel does not tell of is left
 * out, and its two stages are one.
 *
 * <p><b>Threads</b>: two processes with one thread each, which stamp by one clock
 * (CLOCK_MONOTONIC), as the kernel does.
 *
 * <p><b>Read first</b>: {@link io.busbar.bench.path.PathBench}, {@code Border}, {@code Timeline}.
 */
@NullMarked
package io.busbar.bench.path;

import org.jspecify.annotations.NullMarked;

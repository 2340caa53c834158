/**
 * Fabrics, the bare calls below them, and java.nio beside them: each as a {@link
 * io.busbar.bench.fabric.Contender} with one end in each of two processes.
 *
 * <p><b>Owns</b> the floors: the least code that moves the bytes, loss-free, over a bare ring in
 * shared memory and over a bare UDP socket.
 *
 * <p><b>Never</b> compares figures of two runs: what is compared was measured in turns, in the same
 * processes, within one round.
 *
 * <p><b>Threads</b>: one per process and contender; nothing is shared but the memory and sockets
 * under test.
 *
 * <p><b>Read first</b>: {@link io.busbar.bench.fabric.FabricBench}, then {@link
 * io.busbar.bench.fabric.BareRing} beside {@link io.busbar.bench.fabric.OverNic}.
 */
@NullMarked
package io.busbar.bench.fabric;

import org.jspecify.annotations.NullMarked;

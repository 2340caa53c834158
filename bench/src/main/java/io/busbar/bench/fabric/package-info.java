/**
 * Fabrics, the bare calls below them, and java.nio beside them: each as a {@link
 * io.busbar.bench.fabric.Contender} with one end in each of two processes.
 *
 * <p><b>Owns</b> the floors: the least code that moves the bytes, loss-free, over a bare ring in
 * shared memory and over a bare UDP socket.
 */
@NullMarked
package io.busbar.bench.fabric;

import org.jspecify.annotations.NullMarked;

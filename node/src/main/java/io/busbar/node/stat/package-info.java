/**
 * The counters of a node, in a file that other processes of its host can read.
 *
 * <p><b>Owns</b> the file {@code busbar-PID-SERIAL.stat}: who writes it, who reads it, and what
 * becomes of it when its owner dies.
 *
 * <p><b>Threads</b>: one thread at a time writes a {@link io.busbar.node.stat.StatFile}, the holder
 * of the driver's role. Any process reads, at any time, and takes no lock that a writer waits for.
 *
 * <p><b>Read first</b>: {@code docs/wire/stat.md}.
 */
@NullMarked
package io.busbar.node.stat;

import org.jspecify.annotations.NullMarked;

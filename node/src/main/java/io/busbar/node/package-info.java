/**
 * One process's place in the cluster.
 *
 * <p><b>Owns</b> the lanes to other nodes, the choice of the carrier for each of them, and the
 * question who drives.
 *
 * <p><b>Threads</b>: {@code Driving} decides who may touch the engine; only the node itself starts
 * a thread, the caretaker, and reads a clock.
 *
 * <p><b>Read first</b>: {@code docs/design/001-driving.md}.
 */
@NullMarked
package io.busbar.node;

import org.jspecify.annotations.NullMarked;

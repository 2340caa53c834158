/**
 * One process's place in the cluster.
 *
 * <p><b>Owns</b> the lanes to other nodes with their channels for long messages, which carriers
 * there are ({@code Carriers}) and which of them has each lane ({@code Ways}), the question who
 * drives, where the processes of a job meet, how others are found ({@code Joining}, {@code
 * Presence}), and what is said to all of them, found or given ({@code Broadcasts}). Those who stand
 * on a node see it as a {@link io.busbar.node.Place}, of which the lab has one in virtual time.
 * What others may see of a node is in {@code io.busbar.node.stat}.
 *
 * <p><b>Threads</b>: {@code Driving} decides who may touch the engine; only the node itself starts
 * a thread, the caretaker, and reads a clock.
 *
 * <p><b>Read first</b>: {@code docs/design/001-driving.md}, then {@code Driving}; {@link
 * io.busbar.node.Engine} and {@link io.busbar.node.Lane} for the way of a record.
 */
@NullMarked
package io.busbar.node;

import org.jspecify.annotations.NullMarked;

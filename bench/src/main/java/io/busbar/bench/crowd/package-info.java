/**
 * Many processes on hosts of their own that send to one: the part of the bench that is no pair.
 *
 * <p><b>Owns</b> the coordinator ({@link io.busbar.bench.crowd.Crowd}), the program that each
 * process runs ({@code Member}), and what it can be: a node with messages, or a socket of TCP.
 *
 * <p><b>Never</b> spins: there are more processes than cores, and all of them wait asleep.
 *
 * <p><b>Threads</b>: a member has one, which does what standard input tells it.
 *
 * <p><b>Invariants</b>: all systems do the same in each round, in turns; what one of them sends has
 * arrived when its round is over.
 *
 * <p><b>Read first</b>: {@code End}, then {@link io.busbar.bench.crowd.Crowd}.
 */
@NullMarked
package io.busbar.bench.crowd;

import org.jspecify.annotations.NullMarked;

/**
 * One node tells many others something, beside MPI_Bcast and JGroups: the experiment of the paper
 * about Locabus (E21).
 *
 * <p><b>Owns</b> the processes of a broadcast, one in each host ({@code CastMember}), and the
 * harness that tells them what to do ({@code Hall}).
 *
 * <p><b>Read first</b>: {@link io.busbar.bench.broadcast.BroadcastBench}.
 */
@NullMarked
package io.busbar.bench.broadcast;

import org.jspecify.annotations.NullMarked;

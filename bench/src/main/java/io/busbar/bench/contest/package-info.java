/**
 * Systems that move bytes between two processes, measured in turns: Busbar and its layers, the bare
 * calls below them, and peers, each as a {@code Contender} with one end in each of two processes,
 * or as a job of an MPI in C that speaks for both.
 *
 * <p><b>Owns</b> the floors: the least code that moves the bytes, loss-free, over a bare ring in
 * shared memory and over bare UDP, packet and AF_XDP sockets; and the peers' setup, which is to be
 * the best that they have for two cores.
 *
 * <p><b>Never</b> compares figures of two runs: what is compared was measured in turns, within one
 * round. Never gives Busbar's JVM an option that a peer needs.
 *
 * <p><b>Threads</b>: each system has two processes; one thread of each does what standard input
 * tells it, and waits there while another system is measured. What a peer starts beside it sleeps
 * meanwhile.
 *
 * <p><b>Read first</b>: {@link io.busbar.bench.contest.Contest}, {@code Comparison} for how one is
 * made, then {@code BareRing} beside {@code FastMessages}.
 */
@NullMarked
package io.busbar.bench.contest;

import org.jspecify.annotations.NullMarked;

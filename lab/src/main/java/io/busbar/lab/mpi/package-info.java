/**
 * Ranks of MPI in virtual time: programs drawn from a seed over the whole stack, with faults.
 *
 * <p><b>Owns</b> the programs that ranks run ({@code Rank}, {@code Exchange}, {@code Sums}), and
 * what is known of every message ({@code Letters}), against which each receive is checked.
 *
 * <p><b>Never</b> reads a clock or draws a number that does not come from the seed.
 *
 * <p><b>Threads</b>: those of {@link io.busbar.lab.stack}: one thread of a run works at a time.
 * Collectives that are not waited for have threads of their own, which take turns with the others
 * where they wait: no order of the steps of two threads within one call of MPI is tried.
 *
 * <p><b>Invariants</b>: programs are valid, so every receive has one right answer for each sender,
 * and every rank ends; a rank that was killed does not come back.
 *
 * <p><b>Read first</b>: {@link io.busbar.lab.mpi.MpiScenario}, {@code Rank}, {@code Desk}.
 */
@NullMarked
package io.busbar.lab.mpi;

import org.jspecify.annotations.NullMarked;

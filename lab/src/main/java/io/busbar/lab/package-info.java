/**
 * The simulated cluster, in virtual time, on one thread, from one seed.
 *
 * <p><b>Owns</b> the network of links and queues ({@link io.busbar.lab.Network}), the interface
 * through which a node stands on it ({@link io.busbar.lab.SimNic}), what goes wrong in it ({@link
 * io.busbar.lab.FaultPlan}), the programs that talk ({@link io.busbar.lab.Program}), and the books
 * against which every delivery is checked ({@link io.busbar.lab.Ledger}). The checks that every
 * carrier must pass are next door, in {@link io.busbar.lab.conformance}.
 *
 * <p><b>Never</b> reads a clock or draws a number that does not come from the seed: the same seed
 * gives the same trace, to the byte.
 *
 * <p><b>Threads</b>: one per run; runs share nothing.
 *
 * <p><b>Invariants</b>: whatever the faults, a run ends with every checker content, or with a
 * violation that names the seed.
 *
 * <p><b>Read first</b>: {@link io.busbar.lab.Scenario}, then {@link io.busbar.lab.Cluster}; {@link
 * io.busbar.lab.Pair} for two ends stepped by hand. The whole stack, messages included, runs next
 * door in {@link io.busbar.lab.stack}; there programs have threads. Ranks of MPI over it are in
 * {@link io.busbar.lab.mpi}. The nodes of a bus that look for each other are in {@link
 * io.busbar.lab.bus}. Hosts on a real network, in namespaces, are next door: {@link
 * io.busbar.lab.bed}.
 */
@NullMarked
package io.busbar.lab;

import org.jspecify.annotations.NullMarked;

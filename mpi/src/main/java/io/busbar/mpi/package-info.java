/**
 * MPI over Fast Messages: ranks, communicators, datatypes, matching and collectives.
 *
 * <p><b>Owns</b> what has been sent and not been asked for ({@code Arrived}), what was asked for
 * and has not come ({@code Receive}), credits, so that the first is bounded, and what goes to all
 * ranks at once ({@code Casts}). What a program is asked about if it is checked ({@code Call},
 * {@code Verdict}), and what is said of who waits for whom ({@link io.busbar.mpi.WaitGraph}).
 *
 * <p><b>Never</b> reads a clock; nor starts a thread, but for non-blocking collectives; {@code
 * Watch} does both, if somebody watches.
 *
 * <p><b>Threads</b>: any thread may call. {@code Matching} has one lock, under which nothing is
 * copied and nothing is sent; another one for each peer keeps its envelopes in order. Handlers run
 * on whatever thread waits.
 *
 * <p><b>Invariants</b>: envelopes between two ranks are sent in the order of their sends; no
 * handler sends anything longer than four words.
 *
 * <p><b>Read first</b>: {@code docs/design/013-mpi.md}, then {@link io.busbar.mpi.Communicator} and
 * {@code Mail}.
 */
@NullMarked
package io.busbar.mpi;

import org.jspecify.annotations.NullMarked;

/**
 * MPI between ranks, beside what it stands on and beside other MPIs.
 *
 * <p><b>Owns</b> the program of a rank ({@code Rank}, {@code Exercises}) and its twin in C, the
 * ranks of a system ({@code Crew}), and the harness that lets crews do the same in turns ({@code
 * Turns}). Two ranks of any fabric are a contest as others are ({@code TwoRanks}).
 *
 * <p><b>Read first</b>: {@link io.busbar.bench.mpi.MpiBench}, {@code ManyRanks}.
 */
@NullMarked
package io.busbar.bench.mpi;

import org.jspecify.annotations.NullMarked;

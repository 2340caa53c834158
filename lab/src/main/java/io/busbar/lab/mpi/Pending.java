package io.busbar.lab.mpi;

import io.busbar.mpi.Request;

/**
 * Something that a program waits for.
 *
 * @param peer the rank of the world that it needs; negative: any
 * @param onOver what is to be done when it is over
 */
record Pending(Request request, int peer, Runnable onOver) {}

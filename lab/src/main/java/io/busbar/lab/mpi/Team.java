package io.busbar.lab.mpi;

import io.busbar.mpi.Communicator;

/**
 * A communicator, as one rank has it.
 *
 * @param id the same at all of its ranks
 */
record Team(int id, Communicator on) {
  int rank() {
    return on.rank();
  }

  int size() {
    return on.size();
  }

  /** A rank of it, as a rank of the world; anybody is anybody. */
  int node(int rank) {
    return rank < 0 ? rank : on.group().node(rank);
  }
}

package io.busbar.lab.mpi;

/** What ranks do when another one has died. */
public enum Manner {
  /** Who gets an error ends: so do all others who need it. */
  GIVE_UP,
  /** Who gets an error goes on with those who are left. There are no collectives then. */
  GO_ON
}

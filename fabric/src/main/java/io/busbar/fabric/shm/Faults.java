package io.busbar.fabric.shm;

import io.busbar.fabric.Nic;

/**
 * A touch of mapped memory that fails (a SIGBUS, which the JVM turns into an {@link
 * InternalError}): somebody has cut a file. Its owner is expelled, and the process goes on.
 *
 * <p>Compiled code reports it a little later than it happened, rarely so late that it reaches our
 * caller; then the next touch finds it.
 */
final class Faults {
  private final OwnSegment own;
  private final PeerTable peers;
  private boolean torn;

  Faults(OwnSegment own, PeerTable peers) {
    this.own = own;
    this.peers = peers;
  }

  /** Finds what was cut; the refusal of what was being done. */
  long mend(InternalError fault) {
    if (own.isTorn()) {
      torn = true;
      check();
    }
    if (!peers.expelTorn()) {
      throw fault;
    }
    return Nic.FULL;
  }

  /** An interface whose own segment was cut is of no use. */
  void check() {
    if (torn) {
      throw new IllegalStateException(
          "the segment of %s was cut short by another process: close this interface"
              .formatted(own.address));
    }
  }
}

package io.busbar.lab.mpi;

import io.busbar.lab.stack.SimProcess;
import io.busbar.mpi.MpiError;

/** What one rank does about errors. */
record Errors(Umpire umpire, SimProcess process, Manner manner) {
  boolean goesOn() {
    return manner == Manner.GO_ON;
  }

  /** Does something that may fail because of a rank of the world. */
  void guard(int peer, Runnable action) {
    try {
      action.run();
    } catch (MpiError e) {
      onError(peer, e);
    }
  }

  /** Who goes on has a reason that this very rank is to blame for; others end. */
  void onError(int peer, MpiError why) {
    if (!goesOn()) {
      throw why;
    }
    umpire.onError(process, umpire.hasReason(process.node(), peer), why);
  }
}

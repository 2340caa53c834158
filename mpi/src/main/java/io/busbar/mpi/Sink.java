package io.busbar.mpi;

import io.busbar.messages.InMessage;

/** Where a payload goes that comes in pieces. */
sealed interface Sink permits Receive, Arrived {
  /** Takes what has come of it; whether that was all. */
  boolean takeSome(InMessage in);
}

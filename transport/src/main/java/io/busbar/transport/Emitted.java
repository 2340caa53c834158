package io.busbar.transport;

/** What came of an association's turn to send. */
enum Emitted {
  /** One frame left; there may be more. */
  SENT,
  /** Nothing to send, or it waits for the peer. */
  NOTHING,
  /** What there is waits for more. */
  FILLING,
  /** Window or pace of the path do not allow it now. */
  PATH_FULL,
  /** The carrier has no room now. */
  SINK_FULL
}

package io.busbar.transport;

/** Why an association ended. */
public enum Ending {
  /** Both streams were closed and everything was delivered. */
  DISSOLVED,
  /** This side aborted. */
  ABORTED,
  /** The peer aborted. */
  ABORTED_BY_PEER,
  /** The peer stayed silent past the bound, though it was asked. */
  PEER_SILENT,
  /** The peer began a new life; what it held of the former one is gone. */
  PEER_RESTARTED,
  /** The layer above declared the peer dead. */
  PEER_DEAD,
  /** The peer no longer knows the association. */
  UNKNOWN_AT_PEER,
  /** No listening context took it. */
  NO_LISTENER,
  /** A listener's user said no. */
  REFUSED,
  /** The peer had no room for another association. */
  BUSY,
  /** The peer does not speak this version. */
  VERSION_REFUSED
}

package io.busbar.transport;

/** How a buffer comes back to who sent it. */
public enum Release {
  /** Its last byte was acknowledged: the peer's user has it. */
  DELIVERED,
  /** A datagram that has left; nobody will tell more. */
  SENT,
  /** Not all of it was acknowledged before the end: some of it may have arrived. */
  UNDELIVERED
}

package io.busbar.fabric;

/** What an interface can do beyond sending and receiving frames. */
public enum NicCapability {
  /** Frames to one peer arrive once, in order, and none is lost while both live. */
  RELIABLE,
  /** {@link Nic#EVERYONE} is a destination. */
  BROADCAST,
  /** A buffer's owner changes instead of its bytes being copied: {@link Nic#transfer}. */
  OWNERSHIP,
  /** Some received frames can be kept without a copy: {@link Nic#claim}. */
  CLAIMS,
  /** Registered memory is sent in place. */
  IN_PLACE,
  /** A thread can sleep until something arrives: {@link Nic#listen}. */
  SLEEP,
  /** The death of a peer is noticed and reported. */
  DEATH_NOTICE
}

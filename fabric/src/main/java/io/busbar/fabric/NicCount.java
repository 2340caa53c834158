package io.busbar.fabric;

/** What an interface counts. */
public enum NicCount {
  /** Frames that left. */
  FRAMES_SENT,
  /** Their bytes. */
  BYTES_SENT,
  /** Frames handed to the receiver. */
  FRAMES_RECEIVED,
  /** Their bytes. */
  BYTES_RECEIVED,
  /** System calls that sent. */
  CALLS_SENT,
  /** System calls that received something. */
  CALLS_RECEIVED,
  /** Frames refused with {@link Nic#FULL}. */
  REFUSED_FULL,
  /** Frames refused with {@link Nic#TOO_LONG}. */
  REFUSED_TOO_LONG,
  /** Frames refused with {@link Nic#GONE}. */
  REFUSED_GONE,
  /** Frames that the kernel refused for good when they were to leave. */
  LOST_SENDING,
  /** Frames for which the kernel had no room when they arrived. */
  LOST_ARRIVING,
  /** Frames that were longer than any that may arrive, cut and dropped. */
  DROPPED_TRUNCATED,
  /** Things that are no frame of this carrier, or came from where none may come. */
  DROPPED_FOREIGN,
  /** Descriptors that cannot be true; the peer was closed. */
  DROPPED_CORRUPT,
  /** Frames whose bytes were copied into memory of the interface. */
  COPIED,
  /** Frames that left from registered memory, or by a change of owner. */
  IN_PLACE,
  /** Frames read straight from the sender's memory. */
  READ_ACROSS,
  /** Frames that were claimed. */
  CLAIMED,
  /** Claims that were refused. */
  CLAIMS_REFUSED,
  /** Sleeping peers that were woken. */
  BELLS,
  /** Peers that died, left or broke the rules. */
  PEERS_GONE,
  /** Buffers taken back from dead peers. */
  RECLAIMED,
  /** Faults that a decorator put in. */
  FAULTS;

  /** Where {@link NicCounters} keeps it: the place of its declaration. */
  final int slot = Slots.next();

  private static final class Slots {
    private static int taken;

    static int next() {
      return taken++;
    }
  }
}

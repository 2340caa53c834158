package io.busbar.fabric.shm;

import io.busbar.memory.Pool;
import io.busbar.wire.SharedSegment;
import org.jspecify.annotations.Nullable;

/** What an interface knows of one peer. */
final class Peer {
  static final int LIFE_MASK = 0xFF;

  final int number;

  /** Which of those that had this number it is, so that a ticket of a former one is complete. */
  final int life;

  final PeerSegment segment;

  /** The ring to it, made when the first frame goes there. */
  @Nullable RingOut out;

  /** The ring from it, and its pool as we may use it; both come with its announcement. */
  @Nullable RingIn in;

  @Nullable Pool theirs;

  /** Frames of its pool that our user keeps. */
  int claims;

  /** Whether something was sent since the last flush. */
  boolean dirty;

  /** Why it is going; what it had sent is still delivered. */
  @Nullable String farewell;

  /** We have closed the way, and wait until it has, too. */
  boolean inLimbo;

  /** For each broadcast buffer on its way the unit to pass; made with the first one. */
  long[] lentUnits = {};

  Peer(int number, int serial, PeerSegment segment) {
    this.number = number;
    this.life = serial & LIFE_MASK;
    this.segment = segment;
  }

  /** Its number in our pool and rings. */
  int participant() {
    return participant(number);
  }

  static int participant(int number) {
    return number + SharedSegment.OWNER + 1;
  }

  /** Whether frames can be sent to it. */
  boolean isOpen() {
    return farewell == null;
  }

  /** Whether everything it had sent was delivered. */
  boolean isDrained() {
    RingIn ring = in;
    return ring == null || ring.next() == 0;
  }
}

package io.busbar.fabric.shm;

import io.busbar.memory.OwnershipException;
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

  /** The ring to it: made when the first frame goes there, and used when it was announced. */
  @Nullable RingOut made;

  @Nullable RingOut out;

  /** The ring from it, and its pool as we may use it; both come with its announcement. */
  @Nullable RingIn in;

  @Nullable Pool theirs;

  /** So much of its pool our user may keep: an eighth; it needs it to send, to others, too. */
  private static final int KEPT_SHARE = 8;

  /** In a small pool no less than this. */
  private static final int KEPT_BYTES = 64 << 10;

  /** Frames of its pool that our user keeps. */
  int claims;

  private long keptBytes;

  /** Whether the last look found nothing from it. */
  boolean silent = true;

  /** Whether a buffer of its was read since it was last asked whether it waits for room. */
  boolean madeRoom;

  /** Whether something was sent since the last flush. */
  boolean dirty;

  /** Why it is going; what it had sent is still delivered. */
  @Nullable String farewell;

  /** It broke the rules. */
  boolean expelled;

  /** Nothing of it is delivered any more: it broke the rules, or we have closed the way. */
  boolean mute;

  /** We have closed the way, and wait until it has, too. */
  boolean inLimbo;

  /** For each broadcast buffer on its way the unit to pass; made with the first one. */
  long[] lentUnits = {};

  /** In limbo: the broadcast buffers that it may still read. */
  long[] kept = {};

  Peer(int number, int serial, PeerSegment segment) {
    this.number = number;
    this.life = serial & LIFE_MASK;
    this.segment = segment;
  }

  /** Its number in our pool and rings. */
  int participant() {
    return number + SharedSegment.OWNER + 1;
  }

  /** Whether frames can be sent to it. */
  boolean isOpen() {
    return farewell == null;
  }

  /** Whether everything it had sent was delivered. */
  boolean isDrained() {
    RingIn ring = in;
    return mute || ring == null || ring.next() == 0;
  }

  /**
   * Frees buffers of its pool whose zone was busy: it may have nothing else to send with. False
   * when they are not ours any more.
   */
  boolean freeWaiting() {
    Pool pool = theirs;
    try {
      if (pool != null && pool.hasDeferred()) {
        pool.drain();
      }
      return true;
    } catch (OwnershipException e) {
      return false;
    }
  }

  /** Whether our user keeps so much of its pool that so many bytes more have to be copied. */
  boolean isKeptFull(int bytes) {
    Pool pool = theirs;
    return pool != null
        && keptBytes > 0
        && keptBytes + bytes > Math.max(KEPT_BYTES, poolBytes(pool) / KEPT_SHARE);
  }

  private static long poolBytes(Pool pool) {
    return (long) pool.layout().blocks() * pool.layout().blockBytes();
  }

  /** So many frames of its pool, with so many bytes, are kept more than before. */
  void kept(int frames, int bytes) {
    claims += frames;
    keptBytes += bytes;
  }

  /** Whether it has closed one of the rings; what it had sent may still be inside. */
  boolean hasClosedTheWay() {
    return (in != null && in.isClosed()) || hasClosedItsEnd();
  }

  /** Whether it takes nothing from us any more. */
  boolean hasClosedItsEnd() {
    return out != null && out.receiver() == SharedSegment.RING_CLOSED;
  }
}

package io.busbar.node;

import io.busbar.wire.Blocked;
import io.busbar.wire.Records;
import java.lang.foreign.MemorySegment;

/**
 * The way to another node: records arrive there once, in order, as fast as the receiver takes them.
 * Over shared memory they go straight through its ring; over datagrams an association of the
 * transport carries them. Who uses a lane cannot tell. The driver's role is needed for every
 * method.
 */
public abstract sealed class Lane permits RingLane, QmpLane {
  /** A record was not taken: there is no credit or no room; {@link LaneUser#onSendable} follows. */
  public static final int REFUSED = 0;

  /** A record was taken, and its memory is free again. */
  public static final int DONE = 1;

  /** A record was taken; its memory must stay until {@link LaneUser#onReleased}. */
  public static final int TAKEN = 2;

  /** The longest record of a lane; longer messages have a body of their own. */
  public static final int RECORD_BYTES_MAX = 64 << 10;

  private final int peer;
  private boolean ended;
  private Blocked blocked = Blocked.NOT;
  private long messagesIn;
  private long messagesOut;
  private long bytesIn;
  private long bytesOut;
  private long stalls;

  Lane(int peer) {
    this.peer = peer;
  }

  /** The node at the other end. */
  public final int peer() {
    return peer;
  }

  /** Whether the other node is dead, or lives another life: nothing is taken any more. */
  public final boolean isEnded() {
    return ended;
  }

  final void end() {
    ended = true;
  }

  /** Whether a record is a message; the others are not for the user. */
  static boolean isMessage(long header) {
    int kind = Records.kind(header);
    return kind == Records.WHOLE || kind == Records.WORDS;
  }

  final void sent(int bytes) {
    blocked = Blocked.NOT;
    messagesOut++;
    bytesOut += bytes;
  }

  final void received(int bytes) {
    messagesIn++;
    bytesIn += bytes;
  }

  final void refused(Blocked why) {
    stalls += blocked == Blocked.NOT ? 1 : 0;
    blocked = why;
  }

  /** What holds back what the user wants to send. */
  public final Blocked blocked() {
    return blocked;
  }

  /** Records that came. */
  public final long messagesIn() {
    return messagesIn;
  }

  /** Records that were taken to be sent. */
  public final long messagesOut() {
    return messagesOut;
  }

  /** Bytes of records that came. */
  public final long bytesIn() {
    return bytesIn;
  }

  /** Bytes of records that were taken to be sent. */
  public final long bytesOut() {
    return bytesOut;
  }

  /** How often something began to hold it back. */
  public final long stalls() {
    return stalls;
  }

  /** Bytes that the peer has not dealt with, or not acknowledged. */
  abstract long onTheWayBytes();

  /** Whether what is taken was copied: then its memory is free at once. */
  public abstract boolean copies();

  /** What carries it. */
  public abstract String fabric();

  /**
   * Gives a record to send.
   *
   * @param header as {@code Records.header} composes it
   * @param token comes back with the memory, if the answer is {@link #TAKEN}
   * @return {@link #REFUSED}, {@link #DONE} or {@link #TAKEN}
   */
  public abstract int trySend(long header, MemorySegment from, long at, long token);

  /** The user is done with a record of so many bytes that came: the peer may send as much more. */
  public abstract void done(int length);
}

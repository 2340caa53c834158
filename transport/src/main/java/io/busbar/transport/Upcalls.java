package io.busbar.transport;

import java.lang.foreign.MemorySegment;

/**
 * Who is above. Calls come from {@link Transport}'s methods, on the caller's thread; they may call
 * the transport back, except {@code poll} and {@code onFrame}. None of them may throw: the
 * association whose call it was would be left half-way.
 */
public interface Upcalls {
  /** Said by {@link #onOffer}: take it. */
  int ACCEPT = 0;

  /**
   * A FIRST fits a listening context.
   *
   * @return {@link #ACCEPT}, or any other number, which the initiator gets as the detail of REFUSED
   */
  int onOffer(int context, Offer offer);

  /** An offer became an association; its bytes follow. */
  void onAccepted(long association, int context, Offer offer);

  /** The peer answered FIRST: the association exists at both ends. */
  void onOpened(long association);

  /**
   * The next bytes of the incoming stream, or one datagram. The memory is borrowed: copy it, or
   * {@link Transport#claimCurrent claim} it, before returning. Say {@link Transport#consumed} when
   * the bytes need no more room.
   */
  void onBytes(long association, MemorySegment segment, long at, int length, boolean endOfMessage);

  /** A buffer comes back. */
  void onReleased(long association, long token, Release how);

  /** The send queue has room again after a refusal. */
  void onSendable(long association);

  /** The peer closed its stream, and all of it was delivered. */
  void onReadEnd(long association);

  /**
   * The outgoing stream is over: all of it was delivered, or the peer wants no more of it.
   *
   * @param undeliveredBytes bytes that the peer did not take
   */
  void onWriteEnd(long association, long undeliveredBytes);

  /**
   * The association is over; its handle is of no further use.
   *
   * @param undeliveredBytes bytes accepted from this side that were not acknowledged
   * @param detail what a refusing user said, else 0
   */
  void onEnded(long association, Ending why, long undeliveredBytes, int detail);

  /** A node answered an {@link Transport#echo}. */
  default void onEcho(long nowNs, int peer, long seq) {}

  /** A node proved that it lives a new life; everything held about the former one has ended. */
  void onPeerRestarted(int peer, long incarnation);
}

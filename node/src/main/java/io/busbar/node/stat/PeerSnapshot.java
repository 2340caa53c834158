package io.busbar.node.stat;

import io.busbar.wire.Blocked;

/**
 * What a node showed about one peer; all of one moment.
 *
 * @param node the peer's number
 * @param open whether it is talked to; if not, it has left or died
 * @param fabric what carries the frames; may be empty
 * @param blocked the number of a {@link Blocked}, or one that this version does not know
 * @param blockedNs for how long; 0 when it is not blocked
 * @param bytesIn bytes from the peer
 * @param bytesOut bytes to the peer
 * @param messagesIn messages from the peer
 * @param messagesOut messages to the peer
 * @param repairs frames that were sent again
 * @param stalls how often it was blocked
 * @param roundTripNs smoothed; 0 when it is not known
 * @param waitingBytes bytes that wait to be sent
 * @param address where it is reached; may be empty
 */
public record PeerSnapshot(
    long node,
    boolean open,
    String fabric,
    long blocked,
    long blockedNs,
    long bytesIn,
    long bytesOut,
    long messagesIn,
    long messagesOut,
    long repairs,
    long stalls,
    long roundTripNs,
    long waitingBytes,
    String address) {
  /** Whether nothing leaves for the peer now. */
  public boolean isBlocked() {
    return blocked != Blocked.NOT.number();
  }

  /** The reason's name; its number when this version does not know it. */
  public String whyName() {
    return Blocked.of(blocked).map(Blocked::name).orElse(Long.toString(blocked));
  }

  /** The reason in a sentence. */
  public String why() {
    return Blocked.of(blocked)
        .map(Blocked::sentence)
        .orElse("a reason that this version does not know: look with that of the node");
  }
}

package io.busbar.wire;

import java.util.Optional;

/**
 * Why something for a peer has to wait now, as the file of counters says it. Numbers run from 0
 * without a gap; later versions may add some at the end.
 */
public enum Blocked {
  /** It is not. */
  NOT(0, "nothing holds it back"),
  /** Credit of the association. */
  NO_CREDIT(1, "the peer granted no room for more: its user reads slowly, or not at all"),
  /** Congestion window of the path. */
  WINDOW_FULL(2, "as much is on its way as the path takes: acknowledgements will make room"),
  /** Refusal of the carrier. */
  RING_FULL(3, "the carrier takes no more frames: the ring or the socket's buffer is full"),
  /** Bound of what a user may queue. */
  QUEUE_FULL(4, "this node's queue to the peer is full: its user writes faster than it drains"),
  /** Memory of this node. */
  NO_BUFFER(5, "this node has no free buffer: frames that are kept or on their way hold them all"),
  /** An answer is missing. */
  WAITING_FOR_PEER(6, "the peer has not answered yet: it is looked for, or opens its side"),
  /** Pace of the path. */
  PACED(7, "the path's pace lets the next frame leave a moment later"),
  /** Bodies of long messages hold all channels. */
  NO_CHANNEL(8, "all channels for long messages are in use: the peer's handlers are not done");

  private static final Blocked[] ALL = values();

  private final int number;
  private final String sentence;

  Blocked(int number, String sentence) {
    this.number = number;
    this.sentence = sentence;
  }

  /** The number in the file. */
  public int number() {
    return number;
  }

  /** What it means and what to look at, in one sentence. */
  public String sentence() {
    return sentence;
  }

  /** The reason with this number; empty when this version knows none. */
  public static Optional<Blocked> of(long number) {
    return number >= 0 && number < ALL.length ? Optional.of(ALL[(int) number]) : Optional.empty();
  }
}

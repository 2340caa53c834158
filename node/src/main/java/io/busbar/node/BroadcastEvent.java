package io.busbar.node;

/**
 * Something that a program should know of broadcasts. Numbers are those of one sender's messages to
 * one destination.
 *
 * @param what happened
 * @param node the other one: the sender whose broadcasts this node reads, or a reader of its own
 * @param group which of that one's broadcasts, or of this node's, it is about: the name of the
 *     group that they are for; empty for those to everyone
 * @param from of a gap the number of the first message that is missing; otherwise the next one's
 * @param to of a gap the number of the first message that is not missing; otherwise as {@code from}
 */
public record BroadcastEvent(What what, int node, String group, long from, long to) {
  /** What can happen. */
  public enum What {
    /** This node hears a sender from the message of this number on. */
    BEGUN,
    /** Messages of a sender are missing here for good. */
    GAP,
    /** A sender does not wait for this node any longer; a gap will say what is missing. */
    EVICTED,
    /** This node does not wait for a reader any longer, which took nothing for too long. */
    READER_EVICTED,
    /**
     * A sender is held to be dead, or has gone: what it sent came here up to this number. Others
     * may have more of it, or less.
     */
    SENDER_GONE
  }
}

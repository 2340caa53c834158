package io.busbar.bus;

/**
 * Something that happened to the view of who is there.
 *
 * @param view counts the changes that this node has seen in this life
 * @param what happened
 * @param member to whom
 */
public record MemberEvent(long view, What what, Member member) {
  /** What can happen to a member. */
  public enum What {
    /** It was not known before. */
    JOINED,
    /** It began another life: what was held of the former one is void. */
    RESTARTED,
    /** It did not answer, and may still say that it lives. */
    SUSPECTED,
    /** It was suspected, and lives. */
    CLEARED,
    /** It said that it leaves. */
    LEFT,
    /** It did not answer for long. */
    DIED,
    /** It was held to be dead, or had left, and lives the same life. */
    CAME_BACK,
    /**
     * Of this node: another one, of an earlier life, has its id. All lanes have ended. If the id
     * was claimed, {@link #REJOINED} follows; if it was given, nothing does.
     */
    ID_LOST,
    /** Of this node, which had lost its id: it has another one, and lives another life. */
    REJOINED
  }
}

package io.busbar.bus;

/** What happens to the view. Called inside the bus's own calls, which must not be called back. */
public interface MemberEvents {
  /** Nobody listens. */
  MemberEvents NONE = new MemberEvents() {};

  /** This node has its id, and is a member. */
  default void onIdTaken(int id) {}

  /** Something happened to a member, or this node lost its id, and this life is over. */
  default void onMember(MemberEvent event) {}

  /** This node was not awake for so long; it holds that against nobody. */
  default void onPaused(long ns) {}
}

package io.busbar.bus;

/** What happens to the view. Called inside the bus's own calls, which must not be called back. */
public interface MemberEvents {
  /** Nobody listens. */
  MemberEvents NONE = new MemberEvents() {};

  /** This node has its id, and is a member. */
  default void onIdTaken(int id) {}

  /** Another node, of an earlier life, has the id that this one had; it has none for now. */
  default void onIdLost(Member self) {}

  /** A node that was not known. */
  default void onJoined(Member member) {}

  /** A node began another life: what is held of the former one is void. */
  default void onRestarted(Member member, long formerIncarnation) {}

  /** A node did not answer. */
  default void onSuspected(Member member) {}

  /** A node that was suspected lives. */
  default void onCleared(Member member) {}

  /** A node said that it leaves. */
  default void onLeft(Member member) {}

  /** A node did not answer for long. */
  default void onDied(Member member) {}

  /** A node that was held to be dead, or had left, lives the same life. */
  default void onCameBack(Member member) {}

  /** This node was not awake for so long; it holds that against nobody. */
  default void onPaused(long ns) {}
}

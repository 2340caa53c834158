package io.busbar.node;

import io.busbar.bus.MemberEvent;
import java.lang.foreign.MemorySegment;

/** Who stands on an engine. Called by whoever drives, from inside the engine; nothing may throw. */
public interface LaneUser {
  /** There is a lane to a node that there was none to, or to another life of it. */
  void onLane(Lane lane);

  /**
   * A record has come, whole. Its bytes are borrowed: before this returns they are copied. {@link
   * Lane#done} says that its room is free again.
   */
  void onRecord(Lane lane, long header, MemorySegment memory, long at, int length);

  /**
   * The next piece of a long message's body has come; its START may come later. Its bytes are
   * borrowed, as those of a record; {@link Lane#bodyDone} says that its room is free again.
   *
   * @param flags {@code Bodies.LAST} and {@code Bodies.BROKEN}
   */
  void onBody(Lane lane, long body, int flags, MemorySegment memory, long at, int length);

  /**
   * Memory that a lane had taken is free.
   *
   * @param delivered whether all of it has arrived
   */
  void onReleased(Lane lane, long token, boolean delivered);

  /** A lane that refused a record takes one again. */
  void onSendable(Lane lane);

  /** Something happened to the view of who is there. */
  default void onMember(MemberEvent event) {}

  /** A carrier works less well than it should, in words; once for each kind of reason. */
  default void onWarning(String what) {}

  /** Something happened to broadcasts. */
  default void onBroadcast(BroadcastEvent event) {}

  /** The other node is dead, or began another life. */
  void onEnded(Lane lane, String why);
}

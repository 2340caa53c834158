package io.busbar.messages;

import io.busbar.bus.MemberEvent;
import io.busbar.node.BroadcastEvent;

/**
 * What a program can observe besides its messages. Called by the thread that extracts, or closes; a
 * handler's failure, where the handler ran. What is called may send as a handler does, and may
 * neither extract nor close. What it throws is thrown by {@code extract}, or what else called it,
 * when that is done; nothing is lost by it.
 */
public interface MessageEvents {
  /** Nobody listens. */
  MessageEvents NONE = new MessageEvents() {};

  /** A handler threw: its message is gone, and nothing else. */
  default void onHandlerFailed(Handler handler, int from, long bytes, Throwable why) {}

  /** A message named a handler that is not registered here, and was discarded. */
  default void onUnknownHandler(int number, int from, long bytes) {}

  /**
   * This node left, or lost its id, and so many bytes to another one had not arrived by then; to
   * everyone or a group: had not arrived everywhere.
   */
  default void onUndelivered(int node, long bytes) {}

  /** A carrier works less well than it should, in words; once for each kind of reason. */
  default void onWarning(String what) {}

  /** Something happened to the view of who is there. */
  default void onMember(MemberEvent event) {}

  /** Something happened to broadcasts: what is missing, and who is not waited for. */
  default void onBroadcast(BroadcastEvent event) {}

  /**
   * A node is dead, or began another life: messages to it end undelivered. All that came from it in
   * the lane has been handled before.
   */
  default void onNodeGone(int node, String why) {}
}

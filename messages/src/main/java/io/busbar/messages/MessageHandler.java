package io.busbar.messages;

/**
 * What is done with a message, as if all of it had arrived. If it has, this runs inside {@code
 * extract}, on the caller's thread. If it has not, it runs on a virtual thread, which waits inside
 * {@code receive}: many may be in progress, and one runs at any instant, also inside {@code
 * extract}.
 */
@FunctionalInterface
public interface MessageHandler {
  /**
   * Takes a message. What is not received when this returns is discarded. It may send; it may not
   * extract.
   *
   * @param in the message, for the time of this call
   * @param from the node that sent it
   * @throws Exception costs this message alone, and is an event
   */
  void onMessage(InMessage in, int from) throws Exception;
}

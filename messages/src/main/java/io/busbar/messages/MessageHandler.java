package io.busbar.messages;

/** What is done with a message. */
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

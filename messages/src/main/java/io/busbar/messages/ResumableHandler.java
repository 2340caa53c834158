package io.busbar.messages;

/**
 * What is done with a message as it arrives: called when it starts, again for each arrival, and
 * when {@link InMessage#resume} asks for it. It takes what is {@link InMessage#available}, or
 * leaves it where it is: then only this message's sender waits.
 */
@FunctionalInterface
public interface ResumableHandler {
  /** Whether the handler wants more of its message. */
  enum Progress {
    /** Call again. */
    CONTINUE,
    /** The rest, if there is any, is discarded. */
    DONE
  }

  /**
   * Takes what has arrived. It may send; it may not extract. After the last byte it is not called
   * again.
   *
   * @param in the message: the same object until it is done
   * @param from the node that sent it
   * @throws Exception costs this message alone, and is an event
   */
  Progress onArrival(InMessage in, int from) throws Exception;
}

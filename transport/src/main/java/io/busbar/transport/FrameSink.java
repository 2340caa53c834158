package io.busbar.transport;

import io.busbar.wire.FrameBuilder;

/** Where frames leave: a fabric, or the lab's network. */
@FunctionalInterface
public interface FrameSink {
  /**
   * Takes a frame; its parts are valid during the call only, unless the memory is the caller's own.
   *
   * @return false when there is no room now; the transport keeps what it wanted to send
   */
  boolean transmit(int peer, FrameBuilder frame);
}

package io.busbar.bus;

import io.busbar.wire.FrameBuilder;

/** Where the bus's frames leave. What does not get through is lost, and mended later. */
public interface BusSink {
  /** A frame to all nodes that broadcast reaches. */
  void toAll(FrameBuilder frame);

  /** A frame to one member. */
  void to(Member member, FrameBuilder frame);

  /** Nothing is sent to a node any more that has been gone for long. */
  default void forget(Member member) {}
}

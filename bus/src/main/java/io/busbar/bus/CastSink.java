package io.busbar.bus;

import io.busbar.wire.FrameBuilder;

/** Where the frames of broadcasts leave. What does not get through is mended later. */
public interface CastSink {
  /**
   * A frame to all who may read it, and others.
   *
   * @return false when there is no room now: it is tried again soon
   */
  boolean toAll(FrameBuilder frame);

  /** A frame to one member. */
  void to(int id, FrameBuilder frame);

  /**
   * The longest frame that all who read take now; longer than what all carriers take where some are
   * not needed. Who comes later takes what is put in after it has come.
   */
  default int frameBytesMax() {
    return 0;
  }
}

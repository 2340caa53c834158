package io.busbar.node;

import java.lang.foreign.MemorySegment;

/** Who writes the bytes of a record straight to where it leaves from. */
@FunctionalInterface
public interface Content {
  /**
   * Writes all of them. Called with the driver's role, and again if they could not leave after all:
   * it neither sends nor waits.
   */
  void write(MemorySegment into, long at);
}

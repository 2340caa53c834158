package io.busbar.fabric;

import java.lang.foreign.MemorySegment;

/** Who takes what has arrived. */
@FunctionalInterface
public interface FrameReceiver {
  /**
   * A frame has arrived. Its bytes are borrowed: before this returns they are read, copied, or
   * {@link Nic#claim claimed}. Frames may be sent from here; {@link Nic#poll} may not be called.
   *
   * @param peer who sent it, or {@link Nic#STRANGER}
   * @param frame its name for {@link Nic#claim}, or {@link Nic#UNCLAIMABLE}
   */
  void onFrame(int peer, MemorySegment memory, long offset, int length, long frame);
}

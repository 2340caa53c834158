package io.busbar.fabric.ether;

import io.busbar.fabric.Nic;
import io.busbar.linux.PollSet;
import java.lang.foreign.MemorySegment;

/** How frames get to an interface and back: one kind of socket. */
interface Way extends AutoCloseable {
  /** Who takes what has arrived. */
  interface Arrivals {
    /**
     * A frame, from its Ethernet header on; its bytes are borrowed.
     *
     * @param name for claims, or {@link Nic#UNCLAIMABLE}
     */
    void onArrival(MemorySegment memory, long at, int bytes, long name);
  }

  /** The longest frame, with its Ethernet header, that can be sent and received. */
  int bytesMax();

  // Sending.

  /** The memory in which {@link #reserve} gives room. */
  MemorySegment transmitMemory();

  /**
   * Where the next frame goes, from its Ethernet header on; {@link Nic#FULL} when there is none.
   */
  long reserve(int bytes);

  /** What was written there leaves with the next flush. */
  void commit(int bytes);

  /** Lets frames leave; those that could not yet stay. */
  int flush();

  /** Frames that wait. */
  int waiting();

  // Receiving.

  /** Hands up at most so many frames. */
  int poll(Arrivals to, int budget);

  /** Whether something has arrived; looks at memory only. */
  boolean hasArrived();

  /** Frames that were lost for want of room since the last time that this was asked. */
  long takeDrops();

  /** Keeps a frame; false when it cannot be, or the quota is spent. */
  boolean claim(long name);

  /** Whether a frame is kept. */
  boolean isKept(long name);

  /** Gives a claim back. */
  void release(long name);

  /** Adds its descriptor to a set; the place. */
  int listen(PollSet set);

  @Override
  void close();
}

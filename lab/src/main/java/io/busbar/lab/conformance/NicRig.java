package io.busbar.lab.conformance;

import io.busbar.fabric.Nic;
import io.busbar.fabric.NicEvents;
import java.util.function.UnaryOperator;

/**
 * What a carrier supplies to be checked: stations that reach each other, and nobody else on the
 * way. A check gets a rig of its own, uses it from one thread, and closes it.
 */
public interface NicRig extends AutoCloseable {
  /** How many stations it can make: 2, or 3 where the carrier broadcasts. */
  int stations();

  /** Makes station {@code index}, from 0; each is asked for once. */
  Nic station(int index, NicEvents events);

  /**
   * Lets a little time pass, so that what was flushed arrives. In virtual time all that is planned
   * happens. A real carrier waits some microseconds: the kit takes a frame for lost that has not
   * come after 2,000 calls in which nothing came.
   */
  void settle();

  /** The shortest frame that is not padded on its way. */
  default int frameBytesMin() {
    return 1;
  }

  /** What a decorator of the rig's adds to each frame; it is counted with the frame. */
  default int envelopeBytes() {
    return 0;
  }

  /** Frames that were lost so far where no interface sees it, as far as the rig knows. */
  default long lostOutside() {
    return 0;
  }

  /** Why frames are allocated; nothing when none is, which is then measured. */
  default String whyItAllocates() {
    return "";
  }

  /** Gives back what the rig itself holds; its stations are closed by then. */
  @Override
  void close();

  /** The same stations, each decorated. */
  default NicRig with(UnaryOperator<Nic> decorator) {
    return new DecoratedRig(this, decorator, whyItAllocates());
  }

  /** The same stations, excused from the check of allocation. */
  default NicRig allocating(String why) {
    return new DecoratedRig(this, UnaryOperator.identity(), why);
  }
}

package io.busbar.lab.conformance;

import io.busbar.fabric.Nic;
import io.busbar.fabric.NicEvents;
import java.util.function.UnaryOperator;

/** A rig whose stations are decorated. */
record DecoratedRig(NicRig rig, UnaryOperator<Nic> decorator, String whyItAllocates)
    implements NicRig {
  @Override
  public int stations() {
    return rig.stations();
  }

  @Override
  public Nic station(int index, NicEvents events) {
    return decorator.apply(rig.station(index, events));
  }

  @Override
  public void settle() {
    rig.settle();
  }

  @Override
  public int frameBytesMin() {
    return rig.frameBytesMin();
  }

  @Override
  public int envelopeBytes() {
    return rig.envelopeBytes();
  }

  @Override
  public long lostOutside() {
    return rig.lostOutside();
  }

  @Override
  public void close() {
    rig.close();
  }
}

package io.busbar.node;

import io.busbar.fabric.Nic;
import io.busbar.fabric.NicCapability;
import io.busbar.transport.FrameClaims;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The carriers of an engine, those first that are preferred. */
final class CarrierSet implements Iterable<Carrier>, FrameClaims {
  private Carrier[] all = {};

  /** Adds interfaces among which the better one is preferred; the last one if none is better. */
  void add(Engine engine, List<Nic> alternatives) {
    int first = all.length;
    all = Arrays.copyOf(all, first + alternatives.size());
    for (int i = 0; i < alternatives.size(); i++) {
      all[first + i] = new Carrier(engine, alternatives.get(i), first + i, first);
    }
  }

  @Override
  public Iterator<Carrier> iterator() {
    return Arrays.asList(all).iterator();
  }

  /** Takes what has come; frames. */
  int look(int round, int budget) {
    int frames = 0;
    for (Carrier carrier : all) {
      frames += carrier.look(round, budget, all.length == 1);
    }
    return frames;
  }

  /** Whether all that was placed has left. */
  boolean flush() {
    boolean left = true;
    for (Carrier carrier : all) {
      if (carrier.dirty) {
        carrier.dirty = carrier.nic.flush() > 0;
        left &= !carrier.dirty;
      }
    }
    return left;
  }

  @Override
  public boolean claim(long frame) {
    return all[Carrier.place(frame)].claim(frame);
  }

  @Override
  public void release(long frame) {
    all[Carrier.place(frame)].release(frame);
  }

  /** The one that keeps its frames; null when there is none. */
  @Nullable Carrier reliable() {
    for (Carrier carrier : all) {
      if (carrier.reliable) {
        return carrier;
      }
    }
    return null;
  }

  /** Buffers that can change their owner; null when no interface has such. */
  @Nullable Buffers buffers() {
    for (Carrier carrier : all) {
      if (carrier.buffers != null) {
        return carrier.buffers;
      }
    }
    return null;
  }

  /** The longest frame that all of those take that have broadcasts. */
  int broadcastBytesMax() {
    int most = Integer.MAX_VALUE;
    for (Carrier carrier : all) {
      if (carrier.nic.capabilities().contains(NicCapability.BROADCAST)) {
        most = Math.min(most, carrier.nic.frameBytesMax(Nic.EVERYONE));
      }
    }
    return most;
  }

  /** The carrier of an interface, which is one of an engine's. */
  Carrier of(Nic nic) {
    for (Carrier carrier : all) {
      if (carrier.nic.equals(nic)) {
        return carrier;
      }
    }
    throw new IllegalArgumentException("%s is no interface of this node".formatted(nic.address()));
  }

  /** Closes the way of a lane, if it is still that one's. */
  void close(RingLane lane) {
    for (Carrier carrier : all) {
      if (carrier.reliable && carrier.lane(lane.number()) == lane) {
        carrier.close(lane.peer());
      }
    }
  }

  /** Closes all ways to a node. */
  void close(int node) {
    for (Carrier carrier : all) {
      carrier.close(node);
    }
  }
}

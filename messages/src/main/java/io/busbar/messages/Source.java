package io.busbar.messages;

import io.busbar.node.Lane;
import java.util.ArrayList;
import java.util.List;

/**
 * Where messages come from: a lane, and so one life of a node. What is left of a former life has a
 * source of its own, so that nothing of it is told to the next.
 */
final class Source {
  final Lane lane;
  final Outgoing out;

  /** Long messages that are coming. */
  final List<Body> bodies = new ArrayList<>();

  Source(Lane lane) {
    this.lane = lane;
    this.out = new Outgoing(lane);
  }
}

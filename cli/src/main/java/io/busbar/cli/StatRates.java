package io.busbar.cli;

import io.busbar.node.stat.NodeSnapshot;
import io.busbar.node.stat.PeerSnapshot;
import io.busbar.node.stat.StatReading;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.ToLongFunction;

/**
 * Figures per second, against the round before. There is none for who was not there then, nor for a
 * figure that went down because its row began anew.
 */
final class StatRates {
  private final Map<Object, NodeSnapshot> before = new HashMap<>();
  private final double seconds;

  StatRates(List<StatReading> before, double seconds) {
    this.seconds = seconds;
    for (StatReading reading : before) {
      if (reading instanceof NodeSnapshot node) {
        this.before.put(node.path(), node);
      }
    }
  }

  private OptionalDouble rate(long then, long now) {
    return now >= then && seconds > 0
        ? OptionalDouble.of((now - then) / seconds)
        : OptionalDouble.empty();
  }

  /** Of a figure of all peers together. */
  OptionalDouble total(NodeSnapshot node, ToLongFunction<PeerSnapshot> figure) {
    NodeSnapshot then = before.get(node.path());
    return then == null ? OptionalDouble.empty() : rate(then.total(figure), node.total(figure));
  }

  /** Of a counter. */
  OptionalDouble counter(NodeSnapshot node, String name) {
    NodeSnapshot then = before.get(node.path());
    return then == null || !then.counters().containsKey(name)
        ? OptionalDouble.empty()
        : rate(then.counters().getOrDefault(name, 0L), node.counters().getOrDefault(name, 0L));
  }

  /** Of a figure of one peer. */
  OptionalDouble peer(NodeSnapshot node, PeerSnapshot peer, ToLongFunction<PeerSnapshot> figure) {
    NodeSnapshot then = before.get(node.path());
    if (then == null) {
      return OptionalDouble.empty();
    }
    for (PeerSnapshot old : then.peers()) {
      if (old.node() == peer.node()) {
        return rate(figure.applyAsLong(old), figure.applyAsLong(peer));
      }
    }
    return OptionalDouble.empty();
  }
}

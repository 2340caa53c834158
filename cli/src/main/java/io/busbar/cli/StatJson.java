package io.busbar.cli;

import io.busbar.node.stat.NodeSnapshot;
import io.busbar.node.stat.PeerSnapshot;
import io.busbar.node.stat.StatReading;
import io.busbar.node.stat.Unreadable;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.StringJoiner;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Nodes for programs: an object a line. Keys are only ever added. */
final class StatJson {
  private final @Nullable StatRates rates;
  private final boolean full;

  /**
   * Writes objects.
   *
   * @param rates adds keys that end in {@code _per_s}; null in the first round
   * @param full adds counters and peers
   */
  StatJson(@Nullable StatRates rates, boolean full) {
    this.rates = rates;
    this.full = full;
  }

  String of(StatReading reading) {
    return switch (reading) {
      case NodeSnapshot node -> node(node);
      case Unreadable file ->
          "{\"stat\":\"unreadable\",\"pid\":%d,\"path\":%s,\"why\":%s}"
              .formatted(file.pid(), Json.text(file.path().toString()), Json.text(file.why()));
    };
  }

  private static void add(StringJoiner object, String key, Object raw) {
    object.add(Json.text(key) + ":" + raw);
  }

  private static String number(OptionalDouble rate) {
    return rate.isPresent() ? String.format(Locale.ROOT, "%.1f", rate.getAsDouble()) : "null";
  }

  private String node(NodeSnapshot node) {
    StringJoiner object = new StringJoiner(",", "{", "}");
    add(object, "stat", Json.text("node"));
    add(object, "at_ms", System.currentTimeMillis());
    add(object, "pid", node.pid());
    add(object, "alive", node.alive());
    add(object, "node", node.node());
    add(object, "name", Json.text(node.name()));
    add(object, "start_ms", node.startMs());
    add(object, "clock_ms", node.clockMs());
    add(object, "incarnation", "\"%016x\"".formatted(node.incarnation()));
    add(object, "cluster", "\"%016x\"".formatted(node.cluster()));
    add(object, "path", Json.text(node.path().toString()));
    add(object, "peers_open", node.peersOpen());
    add(object, "peers_blocked", node.peersBlocked());
    add(object, "peers_hidden", node.peersHidden());
    add(object, "peers_unsettled", node.peersUnsettled());
    total(object, node, "messages_in", PeerSnapshot::messagesIn);
    total(object, node, "messages_out", PeerSnapshot::messagesOut);
    total(object, node, "bytes_in", PeerSnapshot::bytesIn);
    total(object, node, "bytes_out", PeerSnapshot::bytesOut);
    if (full) {
      counters(object, node);
      StringJoiner peers = new StringJoiner(",", "[", "]");
      node.peers().forEach(peer -> peers.add(peer(node, peer)));
      add(object, "peers", peers);
    }
    return object.toString();
  }

  private void total(
      StringJoiner object, NodeSnapshot node, String key, ToLongFunction<PeerSnapshot> figure) {
    add(object, key, node.total(figure));
    if (rates != null) {
      add(object, key + "_per_s", number(rates.total(node, figure)));
    }
  }

  private void counters(StringJoiner object, NodeSnapshot node) {
    StringJoiner values = new StringJoiner(",", "{", "}");
    node.counters().forEach((name, value) -> add(values, name, value));
    add(object, "counters", values);
    if (rates != null) {
      StatRates known = rates;
      StringJoiner perSecond = new StringJoiner(",", "{", "}");
      node.counters()
          .keySet()
          .forEach(name -> add(perSecond, name, number(known.counter(node, name))));
      add(object, "counters_per_s", perSecond);
    }
  }

  private String peer(NodeSnapshot node, PeerSnapshot peer) {
    StringJoiner object = new StringJoiner(",", "{", "}");
    add(object, "node", peer.node());
    add(object, "open", peer.open());
    add(object, "fabric", Json.text(peer.fabric()));
    add(object, "address", Json.text(peer.address()));
    add(object, "blocked", Json.text(peer.whyName()));
    add(object, "blocked_ns", peer.blockedNs());
    figure(object, node, peer, "messages_in", PeerSnapshot::messagesIn);
    figure(object, node, peer, "messages_out", PeerSnapshot::messagesOut);
    figure(object, node, peer, "bytes_in", PeerSnapshot::bytesIn);
    figure(object, node, peer, "bytes_out", PeerSnapshot::bytesOut);
    figure(object, node, peer, "repairs", PeerSnapshot::repairs);
    figure(object, node, peer, "stalls", PeerSnapshot::stalls);
    add(object, "round_trip_ns", peer.roundTripNs());
    add(object, "waiting_bytes", peer.waitingBytes());
    return object.toString();
  }

  private void figure(
      StringJoiner object,
      NodeSnapshot node,
      PeerSnapshot peer,
      String key,
      ToLongFunction<PeerSnapshot> figure) {
    add(object, key, figure.applyAsLong(peer));
    if (rates != null) {
      add(object, key + "_per_s", number(rates.peer(node, peer, figure)));
    }
  }
}

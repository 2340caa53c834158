package io.busbar.cli;

import io.busbar.node.stat.NodeSnapshot;
import io.busbar.node.stat.PeerSnapshot;
import io.busbar.node.stat.Unreadable;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Nodes for people. */
final class StatText {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);

  /** A node looks at its clock several times a second; who did not for so long hangs. */
  private static final long SILENT_MS = 5000;

  private final @Nullable StatRates rates;

  /** With rates, or without when it is null. */
  StatText(@Nullable StatRates rates) {
    this.rates = rates;
  }

  static String join(List<?> things) {
    return things.stream().map(String::valueOf).collect(Collectors.joining(" and "));
  }

  static String readable(Unreadable file) {
    return file.path() + " " + file.why();
  }

  private static String time(long ms) {
    try {
      return TIME.format(Instant.ofEpochMilli(ms).atZone(ZoneId.systemDefault()));
    } catch (RuntimeException e) {
      return "?"; // no time that a calendar knows
    }
  }

  private static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  private static String number(OptionalDouble rate) {
    return rate.isPresent() ? String.format(Locale.ROOT, "%,.0f", rate.getAsDouble()) : "-";
  }

  /** A time as people read it, in one or two units. */
  static String duration(long ns) {
    long seconds = ns / 1_000_000_000;
    if (ns < 1000) {
      return ns + " ns";
    } else if (ns < 1_000_000) {
      return String.format(Locale.ROOT, "%.1f us", ns / 1e3);
    } else if (ns < 1_000_000_000) {
      return String.format(Locale.ROOT, "%.1f ms", ns / 1e6);
    } else if (seconds < 60) {
      return String.format(Locale.ROOT, "%.1f s", ns / 1e9);
    } else if (seconds < 3600) {
      return "%d min %d s".formatted(seconds / 60, seconds % 60);
    } else if (seconds < 86_400) {
      return "%d h %d min".formatted(seconds / 3600, seconds / 60 % 60);
    }
    return "%d d %d h".formatted(seconds / 86_400, seconds / 3600 % 24);
  }

  /** A line for each node. */
  String list(List<NodeSnapshot> nodes) {
    List<String> heads = new ArrayList<>(List.of("PID", "NODE", "<NAME", "<UP SINCE"));
    heads.addAll(List.of("PEERS", "BLOCKED", "MESSAGES IN", "MESSAGES OUT"));
    if (rates != null) {
      heads.addAll(List.of("IN/S", "OUT/S"));
    }
    Columns table = new Columns(heads);
    for (NodeSnapshot node : nodes) {
      List<String> cells = new ArrayList<>();
      cells.addAll(List.of("" + node.pid(), "" + node.node(), node.name()));
      cells.add(time(node.startMs()) + (node.alive() ? "" : " (dead)"));
      cells.addAll(List.of("" + node.peersOpen(), "" + node.peersBlocked()));
      cells.add(number(node.total(PeerSnapshot::messagesIn)));
      cells.add(number(node.total(PeerSnapshot::messagesOut)));
      if (rates != null) {
        cells.add(number(rates.total(node, PeerSnapshot::messagesIn)));
        cells.add(number(rates.total(node, PeerSnapshot::messagesOut)));
      }
      table.add(cells);
    }
    boolean blocked = nodes.stream().anyMatch(node -> node.peersBlocked() > 0);
    return table + (blocked ? "\nWhy peers are blocked: ./busbar stat PID" : "");
  }

  /** All about a node. */
  String full(NodeSnapshot node) {
    StringJoiner text = new StringJoiner("\n");
    text.add(
        "Node %d '%s' of process %d, %s since %s"
            .formatted(
                node.node(),
                node.name(),
                node.pid(),
                node.alive() ? "up" : "dead, was up",
                time(node.startMs())));
    text.add(
        "  incarnation %016x, cluster %016x, %s"
            .formatted(node.incarnation(), node.cluster(), node.path()));
    long silentMs = System.currentTimeMillis() - node.clockMs();
    if (!node.alive()) {
      text.add("  it looked at its clock last at " + time(node.clockMs()));
    } else if (silentMs > SILENT_MS) {
      text.add(
          "  it has not looked at its clock for %s: it is stopped, or hangs"
              .formatted(duration(silentMs * 1_000_000)));
    }
    text.add("").add("Counters").add(counters(node));
    text.add("").add("Peers").add(peers(node));
    return text.toString();
  }

  private String counters(NodeSnapshot node) {
    if (node.counters().isEmpty()) {
      return "  none";
    }
    Columns table = new Columns(heads(List.of("<COUNTER", "VALUE"), List.of("PER S")));
    node.counters()
        .forEach(
            (name, value) -> {
              List<String> cells = new ArrayList<>(List.of(name, number(value)));
              if (rates != null) {
                cells.add(number(rates.counter(node, name)));
              }
              table.add(cells);
            });
    return table.toString();
  }

  private List<String> heads(List<String> always, List<String> rated) {
    List<String> heads = new ArrayList<>(always);
    heads.addAll(rates == null ? List.of() : rated);
    return heads;
  }

  private String peers(NodeSnapshot node) {
    List<String> heads = new ArrayList<>(List.of("NODE", "<STATE", "<FABRIC", "MESSAGES IN"));
    heads.addAll(List.of("MESSAGES OUT", "BYTES IN", "BYTES OUT", "WAITING", "ROUND TRIP"));
    heads.addAll(List.of("REPAIRS", "STALLS"));
    List<String> all = heads(heads, List.of("IN/S", "OUT/S", "BYTES IN/S", "BYTES OUT/S"));
    all.add("<ADDRESS");
    Columns table = new Columns(all);
    for (PeerSnapshot peer : node.peers()) {
      table.add(cells(node, peer));
      if (peer.isBlocked()) {
        table.note(
            "    blocked for %s: %s, %s"
                .formatted(duration(peer.blockedNs()), peer.whyName(), peer.why()));
      }
    }
    StringJoiner text = new StringJoiner("\n");
    text.add(node.peers().isEmpty() ? "  none" : table.toString());
    if (node.peersHidden() > 0) {
      text.add("  and %d for which the file has no room".formatted(node.peersHidden()));
    }
    if (node.peersUnsettled() > 0) {
      text.add("  and %d that were being changed".formatted(node.peersUnsettled()));
    }
    return text.toString();
  }

  private List<String> cells(NodeSnapshot node, PeerSnapshot peer) {
    List<String> cells = new ArrayList<>();
    cells.addAll(List.of("" + peer.node(), peer.open() ? "open" : "gone", peer.fabric()));
    cells.addAll(List.of(number(peer.messagesIn()), number(peer.messagesOut())));
    cells.addAll(List.of(number(peer.bytesIn()), number(peer.bytesOut())));
    cells.add(number(peer.waitingBytes()));
    cells.add(peer.roundTripNs() == 0 ? "-" : duration(peer.roundTripNs()));
    cells.addAll(List.of(number(peer.repairs()), number(peer.stalls())));
    if (rates != null) {
      cells.add(number(rates.peer(node, peer, PeerSnapshot::messagesIn)));
      cells.add(number(rates.peer(node, peer, PeerSnapshot::messagesOut)));
      cells.add(number(rates.peer(node, peer, PeerSnapshot::bytesIn)));
      cells.add(number(rates.peer(node, peer, PeerSnapshot::bytesOut)));
    }
    cells.add(peer.address());
    return cells;
  }
}

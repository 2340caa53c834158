package io.busbar.node.stat;

import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * A node's counters as they were when its file was read. Each counter and each row is whole; they
 * are not of one instant.
 *
 * @param path the file
 * @param pid the owner's process, in its own view
 * @param alive whether the owner lives; the figures of a dead one are its last
 * @param node the node's number
 * @param name its name, without characters that a terminal would obey
 * @param startMs when the file was made, in milliseconds since 1970
 * @param incarnation its life
 * @param cluster the hash of its cluster's name
 * @param clockMs when the owner last looked at its clock, in milliseconds since 1970
 * @param counters in the order in which they were registered
 * @param peers open ones and those that are gone
 * @param peersHidden peers for which the file had no row
 * @param peersUnsettled rows that were left out because a change of them did not end
 */
public record NodeSnapshot(
    Path path,
    int pid,
    boolean alive,
    int node,
    String name,
    long startMs,
    long incarnation,
    long cluster,
    long clockMs,
    Map<String, Long> counters,
    List<PeerSnapshot> peers,
    int peersHidden,
    int peersUnsettled)
    implements StatReading {
  /** Copies the collections. */
  public NodeSnapshot {
    counters = Collections.unmodifiableMap(new LinkedHashMap<>(counters));
    peers = List.copyOf(peers);
  }

  /** One of the figures of all peers, added up. */
  public long total(ToLongFunction<PeerSnapshot> figure) {
    return peers.stream().mapToLong(figure).sum();
  }

  /** Peers that are talked to. */
  public long peersOpen() {
    return peers.stream().filter(PeerSnapshot::open).count();
  }

  /** Peers to which nothing leaves now. */
  public long peersBlocked() {
    return peers.stream().filter(PeerSnapshot::isBlocked).count();
  }
}

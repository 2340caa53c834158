package io.busbar.bench;

import io.busbar.lab.Cluster;
import io.busbar.lab.LinkSpec;
import io.busbar.lab.QuietUpcalls;
import io.busbar.lab.SimNode;
import io.busbar.transport.Count;
import io.busbar.transport.Criteria;
import io.busbar.transport.Service;
import java.util.SplittableRandom;

/**
 * Nodes on the lab's switch that start within a moment, and open the associations that they want.
 * All of it comes from one seed: the same frames at the same virtual times, on every machine.
 */
final class SimulatedJoin {
  private static final LinkSpec LINK = new LinkSpec(10_000_000_000L, 10_000, 256, 256);
  private static final int FRAME_BYTES = 256;

  /** They start within about a round trip: the worst that a launcher can do to a cluster. */
  private static final long START_NS = 20_000;

  private static final long PATIENCE_NS = 60_000_000_000L;
  private static final long REST_NS = 2_000_000_000L;

  private final int nodes;
  private final long wanted;
  private final Cluster cluster;
  private long joined;

  SimulatedJoin(int nodes, Acquaintance acquaintance, long seed) {
    this.nodes = nodes;
    wanted = acquaintance.count(nodes);
    cluster =
        new Cluster(
            seed,
            nodes,
            LINK,
            config -> config.frameBytesMax(FRAME_BYTES).associationsMax(4 * nodes).listenersMax(1),
            0,
            (node, config) -> new Joining());
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < nodes; i++) {
      SimNode node = cluster.node(i);
      int _ = node.transport().listen(Criteria.port(1, 1));
      cluster.schedule().at(random.nextLong(START_NS), () -> start(node, acquaintance));
    }
  }

  private void start(SimNode node, Acquaintance acquaintance) {
    acquaintance
        .of(node.id(), nodes)
        .forEach(
            peer -> {
              long _ = node.transport().open(node.nowNs(), peer, 1, Service.STREAM, 0, 1, 0, 0);
            });
    node.wake();
  }

  private final class Joining extends QuietUpcalls {
    @Override
    public void onOpened(long association) {
      joined++;
    }
  }

  /** Lets time pass until every association is there; virtual seconds. */
  double join() {
    while (joined < wanted) {
      if (!cluster.schedule().step(PATIENCE_NS)) {
        throw new IllegalStateException("%d of %d are joined".formatted(joined, wanted));
      }
    }
    return cluster.schedule().nowNs() / 1e9;
  }

  /** Associations that were opened. */
  long associations() {
    return wanted;
  }

  /** Frames that all nodes have sent so far. */
  long frames() {
    return cluster.network().frames();
  }

  /** Frames that a port had no room for. */
  long overflows() {
    return cluster.network().queueDrops();
  }

  /** Lets all of them rest, as nodes do that have nothing to say. */
  void rest() {
    cluster.schedule().runUntil(cluster.schedule().nowNs() + REST_NS);
    int busy = 0;
    for (int i = 0; i < nodes; i++) {
      busy += cluster.node(i).transport().busyParts();
    }
    if (busy > 0) {
      throw new IllegalStateException(busy + " associations are not at rest");
    }
  }

  /** Frames of a kind that all nodes have sent. */
  long count(Count kind) {
    long sum = 0;
    for (int i = 0; i < nodes; i++) {
      sum += cluster.node(i).transport().counters().get(kind);
    }
    return sum;
  }

  /**
   * Bytes that a node holds for its associations and the paths to its peers, on average: what the
   * heap loses when all nodes begin a new life. Ends the cluster.
   */
  double stateBytes() {
    long with = StateSize.heapBytes();
    for (int i = 0; i < nodes; i++) {
      cluster.restart(i);
    }
    return (double) (with - StateSize.heapBytes()) / nodes;
  }
}

package io.busbar.lab;

import io.busbar.transport.TransportConfig;
import io.busbar.transport.Upcalls;
import java.util.function.UnaryOperator;

/**
 * Two ends, stepped from one thing that happens to the next. The first thing to reach for when a
 * protocol question comes up.
 */
public final class Pair {
  private static final LinkSpec LINK = new LinkSpec(10_000_000_000L, 10_000, 100, 256);

  private final Cluster cluster;

  /** Two nodes on a link of 10 Gbit/s and 20 µs round trip. */
  public Pair(long seed, UnaryOperator<TransportConfig.Builder> shape, Upcalls a, Upcalls b) {
    this(seed, LINK, shape, a, b);
  }

  /** Two nodes on any link. */
  public Pair(
      long seed,
      LinkSpec link,
      UnaryOperator<TransportConfig.Builder> shape,
      Upcalls a,
      Upcalls b) {
    cluster = new Cluster(seed, 2, link, shape, 64, (node, config) -> node.id() == 0 ? a : b);
  }

  /** The end that mostly opens. */
  public SimNode a() {
    return cluster.node(0);
  }

  /** The end that mostly listens. */
  public SimNode b() {
    return cluster.node(1);
  }

  /** What both stand on. */
  public Cluster cluster() {
    return cluster;
  }

  /** Lets the next thing happen; false when nothing is planned. */
  public boolean step() {
    return cluster.schedule().step(Long.MAX_VALUE - 1);
  }

  /** Lets everything happen that is planned within the time given. */
  public void run(long forNs) {
    cluster.schedule().runUntil(cluster.schedule().nowNs() + forNs);
  }
}

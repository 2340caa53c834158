package io.busbar.lab;

import io.busbar.transport.TransportConfig;
import io.busbar.transport.Upcalls;
import io.busbar.wire.Incarnation;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Nodes on a switch, in virtual time. */
public final class Cluster implements FaultTarget {
  private final Schedule schedule = new Schedule();
  private final SplittableRandom random;
  private final UnaryOperator<TransportConfig.Builder> shape;
  private final Network network;
  private final Faults faults;
  private final SimNode[] nodes;
  private final int[] lives;
  private Consumer<SimNode> afterWork = node -> {};
  private Consumer<SimNode> onStarted = node -> {};

  /**
   * A cluster.
   *
   * @param seed everything random comes from it
   * @param nodes how many
   * @param link what connects them
   * @param shape changes the transport's defaults
   * @param claimsMax frames of its ring that a node may keep
   * @param programs makes what runs above a transport, for each life of each node
   */
  public Cluster(
      long seed,
      int nodes,
      LinkSpec link,
      UnaryOperator<TransportConfig.Builder> shape,
      int claimsMax,
      BiFunction<SimNode, TransportConfig, Upcalls> programs) {
    random = new SplittableRandom(seed);
    this.shape = shape;
    faults = new Faults(random.split(), nodes);
    TransportConfig any = shape.apply(TransportConfig.builder(0, 1)).build();
    network = new Network(schedule, link, faults, !any.crc(), nodes, any.frameBytesMax());
    this.nodes = new SimNode[nodes];
    lives = new int[nodes];
    for (int i = 0; i < nodes; i++) {
      this.nodes[i] = new SimNode(this, i, newLife(i), programs, claimsMax);
    }
  }

  @Override
  public Schedule schedule() {
    return schedule;
  }

  /** The switch and its links. */
  public Network network() {
    return network;
  }

  @Override
  public Faults faults() {
    return faults;
  }

  @Override
  public int size() {
    return nodes.length;
  }

  /** A node. */
  public SimNode node(int id) {
    return nodes[id];
  }

  /** What looks at a node after it has worked. */
  void afterWork(Consumer<SimNode> check) {
    afterWork = check;
  }

  /** What is done when a node has started again. */
  void onStarted(Consumer<SimNode> action) {
    onStarted = action;
  }

  void onStarted(SimNode node) {
    onStarted.accept(node);
  }

  void afterWork(SimNode node) {
    afterWork.accept(node);
  }

  TransportConfig configFor(int id, long life) {
    long nonces = random.split().nextLong();
    return shape.apply(TransportConfig.builder(id, life).seed(nonces)).build();
  }

  private long newLife(int id) {
    lives[id]++;
    return Incarnation.of(1_000_000L + id * 1000L + lives[id], random.nextLong());
  }

  @Override
  public void crash(int id) {
    nodes[id].crash();
  }

  @Override
  public void restart(int id) {
    nodes[id].restart(newLife(id));
  }

  @Override
  public boolean isUp(int id) {
    return nodes[id].isUp();
  }

  @Override
  public void pause(int id, boolean isPaused) {
    nodes[id].pause(isPaused);
  }

  @Override
  public void slow(int id, long everyNs) {
    nodes[id].slow(everyNs);
  }

  @Override
  public void jump(int id, long aheadNs) {
    nodes[id].jump(aheadNs);
  }
}

package io.busbar.lab.bus;

import io.busbar.bus.BusConfig;
import io.busbar.bus.BusCount;
import io.busbar.bus.CastCount;
import io.busbar.bus.Member;
import io.busbar.lab.Faults;
import io.busbar.lab.LinkSpec;
import io.busbar.lab.Network;
import io.busbar.lab.Schedule;
import io.busbar.wire.ClusterName;
import io.busbar.wire.Incarnation;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Nodes on one segment that look for each other, in virtual time, from a seed. */
public final class BusCluster {
  /** A second of virtual time. */
  public static final long SECOND_NS = 1_000_000_000;

  static final int FRAME_BYTES = 1472;

  private static final LinkSpec LINK = new LinkSpec(10 * SECOND_NS, 20_000, 4096, 4096);

  /** What goes wrong with frames. */
  public final Faults faults;

  /**
   * Whether nodes that start from now on have a stream to all others, and hear theirs. A real node
   * has one when it first says something to all.
   */
  public boolean broadcasts = true;

  /**
   * Whether senders of broadcasts take short frames for what all carriers take, and longer ones now
   * and then, as if all readers took those for a while; for nodes that start from now on.
   */
  public boolean longerFrames;

  /** How long a reader may hold back a sender of broadcasts; for nodes that start from now on. */
  long paceNs = Long.MAX_VALUE;

  final Schedule schedule = new Schedule();
  final Network network;
  final SplittableRandom random;
  private final List<BusNode> nodes = new ArrayList<>();
  private final BusConfig.Times times;

  /** Of nodes that have ended. */
  private long pastRepairs;

  /** A segment with so many ports, and nobody there yet. */
  public BusCluster(long seed, int ports) {
    this(seed, ports, BusConfig.Times.DEFAULT);
  }

  /** The same, with other times. */
  public BusCluster(long seed, int ports, BusConfig.Times times) {
    this.times = times;
    random = new SplittableRandom(seed);
    faults = new Faults(random.split(), ports);
    network = new Network(schedule, LINK, faults, true, ports, FRAME_BYTES);
    for (int port = 0; port < ports; port++) {
      nodes.add(new BusNode(this, port));
    }
  }

  /** What time it is. */
  public long nowNs() {
    return schedule.nowNs();
  }

  /** Frames that were sent so far; one to everyone is one. */
  public long frames() {
    return network.frames();
  }

  /** Frames of broadcasts that were sent again so far. */
  public long repairs() {
    return pastRepairs + nodes.stream().mapToLong(node -> repairs(node.casts())).sum();
  }

  private static long repairs(@Nullable CastEnd end) {
    return end == null ? 0 : end.count(CastCount.REPAIRS_OUT);
  }

  /** A node's broadcasts end. */
  void retire(@Nullable CastEnd end) {
    pastRepairs += repairs(end);
  }

  /** Sets who sees every frame. */
  public void watch(Network.Watcher watcher) {
    network.watch(watcher);
  }

  /** The node at a port, which may not have started. */
  public BusNode node(int port) {
    return nodes.get(port);
  }

  /** All nodes. */
  public List<BusNode> nodes() {
    return nodes;
  }

  /** Starts a node that claims its id. */
  public void start(int port) {
    start(port, BusConfig.CLAIM);
  }

  /** Starts a node with an id that is given: when it loses it, it ends. */
  public void start(int port, int id) {
    start(port, id, id == BusConfig.CLAIM);
  }

  /** Starts a node whose claim draws an id that another one may have. */
  public void startTwin(int port, int id) {
    start(port, id, true);
  }

  /** Starts a node with an id that is given, on a host whose clock was set: to any life. */
  public void startInLife(int port, int id, long life) {
    nodes.get(port).start(config(port, id, life), false);
  }

  private void start(int port, int id, boolean claiming) {
    long life = Incarnation.of(1 + nowNs() / 1_000_000, random.nextLong());
    nodes.get(port).start(config(port, id, life), claiming);
  }

  BusConfig config(int port, int id, long life) {
    return new BusConfig(
        ClusterName.hash("lab"),
        id,
        life,
        taken -> BusNode.card(port),
        random.nextLong(),
        FRAME_BYTES,
        4096,
        times);
  }

  /** Lets time pass. */
  public void runFor(long ns) {
    schedule.runUntil(nowNs() + ns);
  }

  /**
   * Lets time pass until something is so.
   *
   * @return how long that took; negative when it was not so in the end
   */
  public long runUntil(Predicate<BusCluster> condition, long atMostNs) {
    long startNs = nowNs();
    long stepNs = 5_000_000;
    while (!condition.test(this)) {
      if (nowNs() - startNs >= atMostNs) {
        return -1;
      }
      runFor(stepNs);
    }
    return nowNs() - startNs;
  }

  /** Whether all nodes that run know all of them, and nobody else. */
  public boolean isConverged() {
    List<BusNode> running = nodes.stream().filter(BusNode::isRunning).toList();
    if (running.isEmpty()) {
      return true;
    }
    long hash = running.getFirst().bus().viewHash();
    return running.stream()
        .allMatch(
            node ->
                node.bus().isMember()
                    && node.bus().viewHash() == hash
                    && node.bus().size() == running.size());
  }

  /** In what the views of those that run differ from what is so; some of it. */
  String differences() {
    List<BusNode> running = nodes.stream().filter(BusNode::isRunning).toList();
    List<String> all = new ArrayList<>();
    for (BusNode by : running) {
      String name = "%d at port %d".formatted(by.bus().id(), nodes.indexOf(by));
      if (!by.bus().isMember()) {
        all.add(name + " is no member");
      }
      for (BusNode of : running) {
        if (!knows(by, of)) {
          all.add("%s holds of %s: %s".formatted(name, of.bus().id(), known(by, of.bus().id())));
        }
      }
      if (by.bus().size() > running.size()) {
        all.add("%s has %d members of %d".formatted(name, by.bus().size(), running.size()));
      }
    }
    int most = Math.min(all.size(), 12);
    return "%d differences: %s".formatted(all.size(), String.join("; ", all.subList(0, most)));
  }

  /** Whether all nodes that run know of each other, if only by somebody who knows both. */
  public boolean haveMet() {
    List<BusNode> apart = new ArrayList<>(nodes.stream().filter(BusNode::isRunning).toList());
    List<BusNode> met = new ArrayList<>();
    if (!apart.isEmpty()) {
      met.add(apart.removeFirst());
    }
    for (int i = 0; i < met.size(); i++) {
      BusNode one = met.get(i);
      List<BusNode> found = apart.stream().filter(o -> knows(one, o) || knows(o, one)).toList();
      met.addAll(found);
      apart.removeAll(found);
    }
    return apart.isEmpty();
  }

  /** Whether it knows that life of it, and not another one with the same id. */
  private static boolean knows(BusNode one, BusNode other) {
    Member self = known(other, other.bus().id());
    Member heard = known(one, other.bus().id());
    return self != null && heard != null && self.incarnation() == heard.incarnation();
  }

  /** What a node knows of another one; null when it knows nothing. */
  public static @Nullable Member known(BusNode by, int id) {
    return by.bus().members().stream().filter(m -> m.id() == id).findFirst().orElse(null);
  }

  /** The sum of a count over all nodes that run. */
  public long sum(BusCount what) {
    return nodes.stream().filter(BusNode::isRunning).mapToLong(n -> n.bus().count(what)).sum();
  }

  /** Cuts or joins two parts of the segment: the ports below a limit, and the others. */
  public void partition(int limit, boolean isCut) {
    for (int a = 0; a < nodes.size(); a++) {
      for (int b = 0; b < nodes.size(); b++) {
        if (a < limit != b < limit) {
          faults.cut(a, b, isCut);
        }
      }
    }
  }

  /** One port is heard, and hears nothing, or the other way round; or no longer. */
  public void halve(int port, boolean isDeaf, boolean isCut) {
    for (int other = 0; other < nodes.size(); other++) {
      if (other != port) {
        faults.cut(isDeaf ? other : port, isDeaf ? port : other, isCut);
      }
    }
  }

  /** One port is cut off, or no longer. */
  public void unplug(int port, boolean isCut) {
    for (int other = 0; other < nodes.size(); other++) {
      if (other != port) {
        faults.cut(port, other, isCut);
        faults.cut(other, port, isCut);
      }
    }
  }
}

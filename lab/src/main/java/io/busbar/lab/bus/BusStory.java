package io.busbar.lab.bus;

import io.busbar.bus.BusConfig;
import io.busbar.lab.FaultPlan.Kind;
import io.busbar.lab.Violation;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A segment on which things happen, all of them drawn from a seed: nodes start, die, begin another
 * life, sleep, draw an id that another one has; clocks jump; ports and parts are cut off, some in
 * one direction; frames are lost, one by one or many, doubled, overtaken, very late, and cut short.
 * Bits do not flip: carriers see to that. When it is over, all know all, and stay calm. Where
 * nothing but nodes fails, nobody is accused who did not.
 */
public final class BusStory {
  private static final long SECOND_NS = BusCluster.SECOND_NS;
  private static final int ACTS = 8;

  /** Hellos become rare before most of it happens: what is missed then is mended otherwise. */
  private static final BusConfig.Times TIMES =
      BusConfig.Times.DEFAULT.withAnnounceNs(SECOND_NS / 2);

  private final long seed;
  private final SplittableRandom random;
  private final BusCluster cluster;
  private final int size;

  /** Whether the network does what it should. */
  private final boolean sound;

  /** Ports whose node died or slept. */
  private final BitSet failed = new BitSet();

  /** Ports whose node slept for less than it takes to be held dead. */
  private final BitSet dozed = new BitSet();

  private final Set<Kind> faults = EnumSet.noneOf(Kind.class);

  /** A story that has not begun. */
  public BusStory(long seed) {
    this(seed, 0);
  }

  /** The same, with so many nodes; 0 draws their number, too. */
  public BusStory(long seed, int nodes) {
    this.seed = seed;
    random = new SplittableRandom(seed);
    int drawn = 2 + random.nextInt(random.nextInt(8) == 0 ? 63 : 10);
    size = nodes == 0 ? drawn : nodes;
    cluster = new BusCluster(random.nextLong(), size, TIMES);
    sound = random.nextInt(3) == 0;
  }

  /** Tells it to its end; a promise that was broken is thrown. */
  public void run() {
    begin();
    for (int act = 0; act < ACTS; act++) {
      act(random.nextInt(size));
      cluster.runFor(random.nextLong(3 * SECOND_NS));
    }
    cluster.faults.heal();
    long limit = cluster.haveMet() ? 20 : 120; // who never met waits for a rare hello
    if (cluster.runUntil(BusCluster::isConverged, limit * SECOND_NS) < 0) {
      throw violation(
          "views converge", "%d s after all faults: %s".formatted(limit, cluster.differences()));
    }
    cluster.runFor(10 * SECOND_NS); // the last suspicions end
    if (!cluster.isConverged()) {
      throw violation("views converge", "they had, and differ again");
    }
    checkCalm();
    checkJustice();
  }

  /** Where it happens. */
  BusCluster cluster() {
    return cluster;
  }

  /** What went wrong so far. */
  Set<Kind> faults() {
    return faults;
  }

  private void begin() {
    for (int port = 0; port < size; port++) {
      int at = port;
      cluster.schedule.at(random.nextLong(SECOND_NS), () -> cluster.start(at));
    }
    cluster.faults.loss = sound ? 0 : random.nextInt(3) * 0.05;
    cluster.faults.duplicate = random.nextInt(2) * 0.05;
    cluster.faults.reorder = random.nextInt(2) * 0.1;
    cluster.faults.reorderNs = 5_000_000;
    cluster.faults.burst = sound ? 0 : random.nextInt(2) * 0.002;
    cluster.faults.burstLength = 8;
    cluster.faults.truncate = sound ? 0 : random.nextInt(2) * 0.01;
    cluster.faults.spike = sound ? 0 : random.nextInt(2) * 0.01;
    cluster.faults.spikeNs = 200_000_000;
    cluster.faults.addKindsTo(faults);
    cluster.runFor(SECOND_NS);
  }

  private void act(int port) {
    BusNode node = cluster.node(port);
    switch (random.nextInt(sound ? 5 : 10)) {
      case 0 -> fail(port, Kind.CRASH);
      case 1 -> {
        fail(port, Kind.RESTART);
        cluster.start(port);
      }
      case 2 -> {
        faults.add(Kind.PAUSE);
        failed.set(port);
        node.pause(random.nextLong(5 * SECOND_NS));
      }
      case 3 -> {
        if (!node.isRunning()) {
          cluster.start(port);
        }
      }
      case 4 -> {
        if (node.isRunning()) {
          faults.add(Kind.CLOCK_JUMP);
          doze(random.nextInt(size), port);
          node.jumpAhead(random.nextLong(10 * SECOND_NS));
          cluster.runFor(SECOND_NS);
        }
      }
      case 5 -> {
        faults.add(Kind.PARTITION);
        cluster.partition(1 + random.nextInt(size), true);
      }
      case 6 -> cluster.partition(1 + random.nextInt(size), false);
      case 7 -> twin(port, cluster.node(random.nextInt(size)));
      case 8 -> {
        faults.add(Kind.ONE_WAY_PARTITION);
        cluster.halve(port, random.nextBoolean(), random.nextBoolean());
      }
      default -> {
        faults.add(Kind.PARTITION);
        cluster.unplug(port, random.nextBoolean());
      }
    }
  }

  /** A node sleeps, so that another one suspects it, and wakes again soon. */
  private void doze(int port, int other) {
    if (sound && port != other && cluster.node(port).isRunning() && !failed.get(port)) {
      faults.add(Kind.PAUSE);
      dozed.set(port);
      cluster.node(port).pause(SECOND_NS * 7 / 10);
      cluster.runFor(SECOND_NS / 2);
    }
  }

  /** A node begins another life, and its claim draws the id of another one. */
  private void twin(int port, BusNode of) {
    if (of.isRunning() && of != cluster.node(port)) {
      int id = of.bus().id();
      fail(port, Kind.RESTART);
      cluster.startTwin(port, id);
    }
  }

  private void fail(int port, Kind kind) {
    faults.add(kind);
    failed.set(port);
    cluster.node(port).kill();
  }

  private void checkCalm() {
    int[] told = cluster.nodes().stream().mapToInt(node -> node.events().size()).toArray();
    cluster.runFor(20 * SECOND_NS);
    for (int port = 0; port < size; port++) {
      List<String> events = cluster.node(port).events();
      if (cluster.node(port).isRunning() && events.size() > told[port]) {
        throw violation(
            "calm after faults",
            "node at port %d hears %s".formatted(port, events.subList(told[port], events.size())));
      }
    }
  }

  /**
   * On a sound network only those are suspected who died or slept, and nobody is held to be dead
   * who slept for a moment, whatever the clocks of others do.
   */
  private void checkJustice() {
    for (int port = 0; sound && port < size; port++) {
      BusNode innocent = cluster.node(port);
      if (!failed.get(port) && innocent.isRunning()) {
        String what = dozed.get(port) ? "died " : "suspected ";
        String accusation = what + innocent.bus().id();
        for (BusNode node : cluster.nodes()) {
          if (node.isRunning() && node.events().contains(accusation)) {
            throw violation("nobody is accused without cause", "somebody %s".formatted(accusation));
          }
        }
      }
    }
  }

  private Violation violation(String promise, String what) {
    return new Violation(promise, "%s (seed %d, %d nodes)".formatted(what, seed, size));
  }
}

package io.busbar.lab.bus;

import io.busbar.bus.BusConfig;
import io.busbar.lab.FaultPlan.Kind;
import io.busbar.lab.Violation;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A segment on which nodes tell all others something, while things happen that are drawn from a
 * seed: frames are lost, one by one or many, doubled, overtaken, very late, and cut short; nodes
 * come, die, begin another life, sleep, take nothing, are cut off; clocks jump. When it is over,
 * everybody has heard all that was said to it, in order and once, or was told what it has missed;
 * and nobody has missed anything without cause. In one story of three frames become longer and
 * shorter, as they do when all readers share memory or not all of them.
 */
public final class CastStory {
  private static final long SECOND_NS = BusCluster.SECOND_NS;
  private static final int ACTS = 8;
  private static final int LONG_BYTES = 20_000;
  private static final BusConfig.Times TIMES =
      BusConfig.Times.DEFAULT.withAnnounceNs(SECOND_NS / 2);

  private final long seed;
  private final SplittableRandom random;
  private final BusCluster cluster;
  private final int size;

  /** Whether no node fails, and no cable: then nobody may miss anything. */
  private final boolean sound;

  private final Set<Kind> faults = EnumSet.noneOf(Kind.class);

  private long said;

  /** A story that has not begun. */
  public CastStory(long seed) {
    this(seed, 0);
  }

  /** The same, with so many nodes; 0 draws their number, too. */
  public CastStory(long seed, int nodes) {
    this.seed = seed;
    random = new SplittableRandom(seed);
    int drawn = 2 + random.nextInt(random.nextInt(8) == 0 ? 63 : 10);
    size = nodes == 0 ? drawn : nodes;
    cluster = new BusCluster(random.nextLong(), size, TIMES);
    sound = random.nextInt(3) == 0;
    cluster.longerFrames = seed % 3 == 0;
    cluster.paceNs = sound || random.nextInt(4) == 0 ? Long.MAX_VALUE : SECOND_NS;
  }

  /** Tells it to its end; a promise that was broken is thrown. */
  public void run() {
    try {
      begin();
      for (int act = 0; act < ACTS; act++) {
        if (!sound) {
          act(random.nextInt(size));
        }
        speak(random.nextLong(2 * SECOND_NS));
      }
      cluster.faults.heal();
      cluster.nodes().forEach(CastStory::wake);
      long limit = cluster.haveMet() ? 20 : 120;
      if (cluster.runUntil(BusCluster::isConverged, limit * SECOND_NS) < 0) {
        throw violation(
            "views converge", "%d s after all faults: %s".formatted(limit, cluster.differences()));
      }
      speak(SECOND_NS);
      long tookNs = cluster.runUntil(all -> missing().isEmpty(), 20 * SECOND_NS);
      if (tookNs < 0) {
        throw violation("all is heard", missing().toString());
      }
      checkCauses();
    } catch (Violation e) {
      throw String.valueOf(e.getMessage()).contains("seed")
          ? e
          : new Violation(
              "broadcast", "%s (seed %d, %d nodes)".formatted(e.getMessage(), seed, size));
    }
  }

  /** How much was said. */
  public long said() {
    return said;
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
      cluster.schedule.at(random.nextLong(SECOND_NS / 2), () -> cluster.start(at));
    }
    double[] losses = {0, 0.01, 0.1};
    cluster.faults.duplicate = random.nextInt(2) * 0.05;
    cluster.faults.reorder = random.nextInt(2) * 0.1;
    cluster.faults.reorderNs = 1_000_000;
    cluster.faults.truncate = random.nextInt(2) * 0.005;
    cluster.faults.burst = sound ? 0 : random.nextInt(2) * 0.002;
    cluster.faults.burstLength = 8;
    cluster.faults.spike = sound ? 0 : random.nextInt(2) * 0.005;
    cluster.faults.spikeNs = 200_000_000;
    cluster.runFor(2 * SECOND_NS);
    cluster.faults.loss = losses[random.nextInt(sound ? 2 : 3)];
    cluster.faults.addKindsTo(faults);
  }

  private static void wake(BusNode node) {
    CastEnd end = node.casts();
    if (end != null) {
      end.sleep(false);
    }
  }

  /** For a while some of them speak. */
  private void speak(long ns) {
    long endNs = cluster.nowNs() + ns;
    while (cluster.nowNs() < endNs) {
      BusNode node = cluster.node(random.nextInt(size));
      CastEnd end = node.casts();
      int messages = random.nextInt(20);
      for (int i = 0; end != null && i < messages; i++) {
        int length = random.nextInt(random.nextInt(10) == 0 ? LONG_BYTES : 200);
        if (!end.say(length)) {
          break;
        }
        said++;
      }
      cluster.runFor(random.nextLong(20_000_000));
    }
  }

  private void act(int port) {
    BusNode node = cluster.node(port);
    CastEnd end = node.casts();
    switch (random.nextInt(13)) {
      case 0 -> {
        faults.add(Kind.CRASH);
        node.kill();
      }
      case 1 -> {
        faults.add(Kind.RESTART);
        node.kill();
        cluster.start(port);
      }
      case 2 -> {
        faults.add(Kind.PAUSE);
        node.pause(random.nextLong(5 * SECOND_NS));
      }
      case 3 -> {
        if (!node.isRunning()) {
          cluster.start(port);
        }
      }
      case 4 -> {
        faults.add(Kind.PARTITION);
        cluster.partition(1 + random.nextInt(size), true);
      }
      case 5 -> cluster.partition(1 + random.nextInt(size), false);
      case 6 -> {
        BusNode of = cluster.node(random.nextInt(size));
        if (of.isRunning() && of != node) {
          int id = of.bus().id();
          faults.add(Kind.RESTART);
          node.kill();
          cluster.startTwin(port, id);
        }
      }
      case 7 -> {
        faults.add(Kind.PARTITION);
        cluster.unplug(port, random.nextBoolean());
      }
      case 8 -> {
        faults.add(Kind.ONE_WAY_PARTITION);
        cluster.halve(port, random.nextBoolean(), random.nextBoolean());
      }
      case 9 -> {
        if (end != null) {
          faults.add(Kind.CLOCK_JUMP);
          node.jumpAhead(random.nextLong(5 * SECOND_NS));
        }
      }
      case 10 -> {
        if (end != null) { // at once, under the same id: what it said is still under way
          faults.add(Kind.RESTART);
          node.kill();
          cluster.startTwin(port, end.id());
        }
      }
      default -> {
        if (end != null) {
          faults.add(Kind.SLOW_RECEIVER);
          end.sleep(random.nextBoolean());
        }
      }
    }
  }

  private List<CastEnd> ends() {
    List<CastEnd> ends = new ArrayList<>();
    for (BusNode node : cluster.nodes()) {
      CastEnd end = node.casts();
      if (end != null) {
        ends.add(end);
      }
    }
    return ends;
  }

  /** Who has not heard all of whom. */
  private List<String> missing() {
    List<String> missing = new ArrayList<>();
    for (CastEnd of : ends()) {
      for (CastEnd by : ends()) {
        if (by != of && by.expects(of) != of.out().messages()) {
          missing.add(
              "%d has heard %d of the %d of %d"
                  .formatted(by.id(), by.expects(of), of.out().messages(), of.id()));
        }
      }
      if (!of.out().isSettled()) {
        missing.add("%d waits for somebody".formatted(of.id()));
      }
    }
    return missing;
  }

  /** Who has missed something was evicted, held to be dead, or had its id taken for a while. */
  private void checkCauses() {
    for (BusNode node : cluster.nodes()) {
      CastEnd of = node.casts();
      if (of == null) {
        continue;
      }
      for (CastEnd by : ends()) {
        boolean isCause =
            of.evicted().contains(by.id())
                || node.events().contains("died " + by.id())
                || node.events().contains("restarted " + by.id()); // one that had its id
        if (by != of && by.gaps(of) > 0 && !isCause) {
          throw violation(
              "nobody misses anything without cause",
              "%d has %d gaps in what %d said".formatted(by.id(), by.gaps(of), of.id()));
        }
        if (sound && by != of && by.gaps(of) > 0) {
          throw violation("on a sound segment nothing is missed", "by %d".formatted(by.id()));
        }
      }
    }
  }

  private Violation violation(String promise, String what) {
    return new Violation(promise, "%s (seed %d, %d nodes)".formatted(what, seed, size));
  }
}

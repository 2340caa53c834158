package io.busbar.lab;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/** What goes wrong and when, drawn from a seed; everything is well again at {@link #healNs}. */
public final class FaultPlan {
  /** Every kind of fault. */
  public enum Kind {
    /** Single frames are lost. */
    LOSS,
    /** Frames are lost in bursts. */
    BURST,
    /** Frames come twice. */
    DUPLICATION,
    /** Frames overtake each other. */
    REORDERING,
    /** Bits flip. */
    CORRUPTION,
    /** Frames are cut short. */
    TRUNCATION,
    /** Single frames are very late. */
    DELAY_SPIKES,
    /** Two groups of nodes cannot reach each other. */
    PARTITION,
    /** One node is heard, and hears nothing. */
    ONE_WAY_PARTITION,
    /** A node stops for good. */
    CRASH,
    /** A node stops and starts again. */
    RESTART,
    /** A node stands still, and goes on. */
    PAUSE,
    /** A node looks at its ring seldom. */
    SLOW_RECEIVER,
    /** A node's clock jumps, mostly ahead. */
    CLOCK_JUMP
  }

  /** One fault, from when to when, at which node if it has one. */
  public record Fault(Kind kind, long fromNs, long toNs, int node, double strength) {}

  private static final int KINDS_MIN = 3;

  private final List<Fault> faults = new ArrayList<>();
  private final Set<Kind> kinds = EnumSet.noneOf(Kind.class);
  private final Set<Integer> crashed = new TreeSet<>();
  private final long healNs;

  private FaultPlan(long healNs) {
    this.healNs = healNs;
  }

  /** Nothing goes wrong. */
  public static FaultPlan none() {
    return new FaultPlan(0);
  }

  /** Draws three kinds or more, in one to three windows each, before {@code healNs}. */
  public static FaultPlan draw(SplittableRandom random, int nodes, long healNs) {
    FaultPlan plan = new FaultPlan(healNs);
    int count = KINDS_MIN + random.nextInt(4);
    while (plan.kinds.size() < count) {
      Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
      int windows = plan.kinds.contains(kind) ? 0 : 1 + random.nextInt(3);
      for (int i = 0; i < windows; i++) {
        plan.drawWindow(random, kind, nodes);
      }
    }
    return plan;
  }

  /** A node stops once at most, and two nodes never stop for good, or there is nobody to check. */
  private void drawWindow(SplittableRandom random, Kind kind, int nodes) {
    long from = random.nextLong(healNs * 3 / 4);
    long most = healNs - from;
    long to = from + Math.max(1, random.nextLong(most));
    int node = random.nextInt(nodes);
    boolean stops = kind == Kind.CRASH || kind == Kind.RESTART;
    boolean tooMany = kind == Kind.CRASH && crashed.size() >= nodes - 2;
    if (stops && (tooMany || !crashed.add(node))) {
      return;
    }
    kinds.add(kind);
    faults.add(new Fault(kind, from, to, node, random.nextDouble()));
  }

  /** When everything is well again. */
  public long healNs() {
    return healNs;
  }

  /** The kinds drawn. */
  public Set<Kind> kinds() {
    return kinds;
  }

  /** Whether the plan has any of these kinds. */
  public boolean hasAny(Kind... wanted) {
    for (Kind kind : wanted) {
      if (kinds.contains(kind)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a node crashes at some time. */
  public boolean crashes(int node) {
    return crashed.contains(node);
  }

  /** Puts the plan on the cluster's schedule. */
  public void apply(FaultTarget cluster) {
    for (Fault fault : faults) {
      cluster.schedule().at(fault.fromNs, () -> begin(cluster, fault));
      cluster.schedule().at(fault.toNs, () -> end(cluster, fault));
    }
    cluster.schedule().at(healNs, () -> heal(cluster));
  }

  private static void begin(FaultTarget cluster, Fault fault) {
    Faults now = cluster.faults();
    double s = fault.strength;
    switch (fault.kind) {
      case LOSS -> now.loss = 0.001 + 0.15 * s * s;
      case BURST -> {
        now.burst = 0.0005 + 0.01 * s;
        now.burstLength = 2 + 40 * s;
      }
      case DUPLICATION -> now.duplicate = 0.001 + 0.2 * s * s;
      case REORDERING -> {
        now.reorder = 0.001 + 0.3 * s * s;
        now.reorderNs = (long) (1_000 + 200_000 * s);
      }
      case CORRUPTION -> now.corrupt = 0.001 + 0.05 * s;
      case TRUNCATION -> now.truncate = 0.001 + 0.05 * s;
      case DELAY_SPIKES -> {
        now.spike = 0.0005 + 0.01 * s;
        now.spikeNs = (long) (100_000 + 5_000_000 * s);
      }
      case PARTITION -> cut(cluster, fault, true, true);
      case ONE_WAY_PARTITION -> cut(cluster, fault, true, false);
      case CRASH, RESTART -> cluster.crash(fault.node);
      case PAUSE -> cluster.pause(fault.node, true);
      case SLOW_RECEIVER -> cluster.slow(fault.node, (long) (20_000 + 2_000_000 * s));
      case CLOCK_JUMP -> cluster.jump(fault.node, jumpNs(s));
    }
  }

  /** Mostly ahead, by up to three seconds; sometimes back, by up to 50 ms. */
  private static long jumpNs(double s) {
    return s < 0.3 ? (long) (-150_000_000 * s) : (long) (1_000_000 + 3_000_000_000.0 * s);
  }

  private static void end(FaultTarget cluster, Fault fault) {
    Faults now = cluster.faults();
    switch (fault.kind) {
      case LOSS -> now.loss = 0;
      case BURST -> now.burst = 0;
      case DUPLICATION -> now.duplicate = 0;
      case REORDERING -> now.reorder = 0;
      case CORRUPTION -> now.corrupt = 0;
      case TRUNCATION -> now.truncate = 0;
      case DELAY_SPIKES -> now.spike = 0;
      case PARTITION -> cut(cluster, fault, false, true);
      case ONE_WAY_PARTITION -> cut(cluster, fault, false, false);
      case RESTART -> cluster.restart(fault.node);
      case PAUSE -> cluster.pause(fault.node, false);
      case SLOW_RECEIVER -> cluster.slow(fault.node, 0);
      case CRASH, CLOCK_JUMP -> {}
    }
  }

  /** A node, and by its number some more, are cut off from the rest. */
  private static void cut(FaultTarget cluster, Fault fault, boolean isCut, boolean bothWays) {
    int group = 1 + (int) (fault.strength * cluster.size() / 2);
    for (int i = 0; i < cluster.size(); i++) {
      for (int j = 0; j < cluster.size(); j++) {
        boolean inside = Math.floorMod(i - fault.node, cluster.size()) < group;
        boolean other = Math.floorMod(j - fault.node, cluster.size()) >= group;
        if (inside && other) {
          cluster.faults().cut(j, i, isCut);
          if (bothWays) {
            cluster.faults().cut(i, j, isCut);
          }
        }
      }
    }
  }

  private static void heal(FaultTarget cluster) {
    cluster.faults().heal();
    for (int i = 0; i < cluster.size(); i++) {
      cluster.slow(i, 0);
      if (cluster.isUp(i)) {
        cluster.pause(i, false);
      }
    }
  }

  @Override
  public String toString() {
    return faults.toString();
  }
}

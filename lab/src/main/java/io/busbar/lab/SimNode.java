package io.busbar.lab;

import io.busbar.transport.FrameSink;
import io.busbar.transport.Transport;
import io.busbar.transport.TransportConfig;
import io.busbar.transport.Upcalls;
import io.busbar.wire.FrameBuilder;
import io.busbar.wire.Seal;
import java.util.ArrayDeque;
import java.util.function.BiFunction;

/**
 * One node: a transport, a receive ring, and a clock of its own, which may jump. It can be paused,
 * slowed down, crashed, and started again in a new life.
 */
public final class SimNode {
  private static final int RING_FRAMES = 256;

  /** A node that works this often without a nanosecond passing would spin for ever. */
  private static final int WAKES_AT_ONCE_MAX = 10_000;

  private final Cluster cluster;
  private final int id;
  private final BiFunction<SimNode, TransportConfig, Upcalls> programs;
  private final ArrayDeque<SimFrame> ring = new ArrayDeque<>();
  private final ClaimTable claims;
  private final FrameSink sink = this::transmit;
  private Transport transport;
  private long life;
  private boolean up = true;
  private boolean paused;
  private long slowNs;
  private long jumpNs;
  private long wakeAtNs = Long.MAX_VALUE;
  private long ringDrops;
  private long lastWakeNs = -1;
  private int wakesAtOnce;
  private boolean inside;

  SimNode(
      Cluster cluster,
      int id,
      long life,
      BiFunction<SimNode, TransportConfig, Upcalls> programs,
      int claimsMax) {
    this.cluster = cluster;
    this.id = id;
    this.life = life;
    this.programs = programs;
    claims = new ClaimTable(claimsMax);
    transport = start();
  }

  private Transport start() {
    TransportConfig config = cluster.configFor(id, life);
    Upcalls upcalls = programs.apply(this, config);
    return new Transport(config, upcalls, claims, Seal.NONE);
  }

  /** The node's number. */
  public int id() {
    return id;
  }

  /** The life it lives. */
  public long life() {
    return life;
  }

  /** The transport of this life. */
  public Transport transport() {
    return transport;
  }

  /** Whether it is neither crashed nor paused. */
  public boolean isRunning() {
    return up && !paused;
  }

  /** Whether it is not crashed. */
  public boolean isUp() {
    return up;
  }

  /** What its own clock says. */
  public long nowNs() {
    return cluster.schedule().nowNs() + jumpNs;
  }

  /** Frames that its ring had no room for. */
  public long ringDrops() {
    return ringDrops;
  }

  /** Frames that are claimed. */
  public int claims() {
    return claims.size();
  }

  // Faults.

  /** It stops at once; what it held is gone. */
  void crash() {
    up = false;
    drainRing();
    claims.forget(cluster.network());
  }

  /** It starts again, as a new life. */
  void restart(long newLife) {
    life = newLife;
    up = true;
    paused = false;
    slowNs = 0;
    transport = start();
    cluster.onStarted(this);
    wake();
  }

  void pause(boolean isPaused) {
    paused = isPaused;
    if (!isPaused) {
      wake();
    }
  }

  /** It looks at its ring only so often. */
  void slow(long everyNs) {
    slowNs = everyNs;
  }

  void jump(long aheadNs) {
    jumpNs += aheadNs;
    wake();
  }

  // Work.

  void onArrival(SimFrame frame) {
    if (!up) {
      return;
    }
    if (ring.size() >= RING_FRAMES) {
      ringDrops++;
      return;
    }
    frame.references++;
    ring.add(frame);
    planWake(cluster.schedule().nowNs() + slowNs);
  }

  /** The program did something outside an upcall: frames may have to leave. */
  public void wake() {
    planWake(cluster.schedule().nowNs());
  }

  private void planWake(long atNs) {
    if (!inside && atNs < wakeAtNs) {
      wakeAtNs = atNs;
      cluster.schedule().at(atNs, () -> onWake(atNs));
    }
  }

  private void onWake(long plannedNs) {
    if (wakeAtNs != plannedNs) {
      return;
    }
    wakeAtNs = Long.MAX_VALUE;
    if (!isRunning()) {
      return;
    }
    wakesAtOnce = plannedNs == lastWakeNs ? wakesAtOnce + 1 : 0;
    lastWakeNs = plannedNs;
    Violation.check(
        wakesAtOnce < WAKES_AT_ONCE_MAX,
        "time goes on",
        "node %d works for ever at %d ns",
        id,
        plannedNs);
    inside = true;
    long deadlineNs = work();
    inside = false;
    long now = cluster.schedule().nowNs();
    if (!ring.isEmpty()) {
      planWake(now + slowNs);
    }
    if (deadlineNs != Long.MAX_VALUE) {
      planWake(Math.max(now, deadlineNs - jumpNs));
    }
    if (transport.hasFramesWaiting()) {
      planWake(Math.max(now + 1, cluster.network().roomAtNs(id)));
    }
    cluster.afterWork(this);
  }

  private long work() {
    while (!ring.isEmpty()) {
      SimFrame frame = ring.poll();
      long claim = claims.offer(frame);
      transport.onFrame(nowNs(), frame.bytes, 0, frame.length, claim, sink);
      claims.settle(claim, cluster.network());
    }
    return transport.poll(nowNs(), sink);
  }

  private boolean transmit(int peer, FrameBuilder frame) {
    return cluster.network().send(id, peer, frame);
  }

  private void drainRing() {
    while (!ring.isEmpty()) {
      cluster.network().release(ring.poll());
    }
  }

  /** The deadline that its transport waits for now. */
  long deadlineNs() {
    return transport.poll(nowNs(), sink);
  }

  void releaseClaim(long claim) {
    claims.release(claim);
  }

  /** Gives frames whose claims are over back to the network. */
  void releaseClaims() {
    claims.settleAll(cluster.network());
  }
}

package io.busbar.lab;

import io.busbar.fabric.FrameReceiver;
import io.busbar.fabric.Nic;
import io.busbar.transport.FrameClaims;
import io.busbar.transport.FrameSink;
import io.busbar.transport.Transport;
import io.busbar.transport.TransportConfig;
import io.busbar.transport.Upcalls;
import io.busbar.wire.FrameBuilder;
import io.busbar.wire.Seal;
import java.lang.foreign.MemorySegment;
import java.util.function.BiFunction;

/**
 * One node: a transport on an interface, and a clock of its own, which may jump. It can be paused,
 * slowed down, crashed, and started again in a new life, with an interface of its own.
 */
public final class SimNode {
  /** A node that works this often without a nanosecond passing would spin for ever. */
  private static final int WAKES_AT_ONCE_MAX = 10_000;

  private final Cluster cluster;
  private final int id;
  private final BiFunction<SimNode, TransportConfig, Upcalls> programs;
  private final int claimsMax;
  private final FrameSink sink = this::transmit;
  private final FrameReceiver receiver = this::onFrame;
  private SimNic nic;
  private Transport transport;
  private long life;
  private boolean up = true;
  private boolean paused;
  private long slowNs;
  private long jumpNs;
  private long wakeAtNs = Long.MAX_VALUE;
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
    this.claimsMax = claimsMax;
    nic = plugIn();
    transport = start();
  }

  private SimNic plugIn() {
    return new SimNic(cluster.network(), id, claimsMax, this::onArrival);
  }

  private Transport start() {
    TransportConfig config = cluster.configFor(id, life);
    Upcalls upcalls = programs.apply(this, config);
    return new Transport(config, upcalls, new NicClaims(nic), Seal.NONE);
  }

  /** What an interface keeps for a transport. */
  private record NicClaims(Nic nic) implements FrameClaims {
    @Override
    public boolean claim(long frame) {
      return nic.claim(frame);
    }

    @Override
    public void release(long frame) {
      nic.release(frame);
    }
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

  /** The interface of this life. */
  public SimNic nic() {
    return nic;
  }

  // Faults.

  /** It stops at once; what it held is gone. */
  void crash() {
    up = false;
    nic.close();
  }

  /** It starts again, as a new life. */
  void restart(long newLife) {
    life = newLife;
    up = true;
    paused = false;
    slowNs = 0;
    nic = plugIn();
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

  private void onArrival() {
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
    if (nic.hasArrivals()) {
      planWake(now + slowNs);
    }
    if (deadlineNs != Long.MAX_VALUE) {
      planWake(Math.max(now, deadlineNs - jumpNs));
    }
    if (transport.hasFramesWaiting()) {
      planWake(Math.max(now + 1, nic.roomAtNs()));
    }
    cluster.afterWork(this);
  }

  private long work() {
    nic.poll(receiver, Integer.MAX_VALUE);
    return transport.poll(nowNs(), sink);
  }

  private void onFrame(int peer, MemorySegment memory, long offset, int length, long frame) {
    transport.onFrame(nowNs(), memory, offset, length, frame, sink);
  }

  /** A transport names peers by their node, and here a node's number is its port. */
  boolean transmit(int peer, FrameBuilder frame) {
    if (!nic.isOpen(peer)) {
      nic.open(new SimAddress(peer));
    }
    long result = nic.transmit(peer, frame);
    Violation.check(
        Nic.isTicket(result) || result == Nic.FULL,
        "frames fit",
        "node %d sends %d bytes to node %d, refused with %d",
        id,
        frame.frameBytes(),
        peer,
        result);
    return result != Nic.FULL;
  }

  /** The deadline that its transport waits for now. */
  long deadlineNs() {
    return transport.poll(nowNs(), sink);
  }

  void releaseClaim(long claim) {
    nic.release(claim);
  }
}

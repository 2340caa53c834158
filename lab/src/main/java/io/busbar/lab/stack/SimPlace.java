package io.busbar.lab.stack;

import io.busbar.lab.Network;
import io.busbar.lab.Schedule;
import io.busbar.lab.SimAddress;
import io.busbar.lab.SimNic;
import io.busbar.node.Buffers;
import io.busbar.node.Engine;
import io.busbar.node.EngineConfig;
import io.busbar.node.Lane;
import io.busbar.node.LaneUser;
import io.busbar.node.Place;
import io.busbar.transport.Count;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A place in virtual time. Whoever waits, drives: while a thread of the program's waits, the engine
 * works as soon as something comes or is due. While none does, a caretaker drives, after a while.
 * Every use costs time, so that who only tries moves time on, and others get their turn.
 */
public final class SimPlace implements Place {
  /** An engine that works this often without a nanosecond passing would spin for ever. */
  private static final int WORKS_AT_ONCE_MAX = 10_000;

  /** A program that uses its place so often without waiting would do it for ever. */
  private static final int USES_MAX = 100_000;

  private final SimProcess process;
  private final Schedule schedule;
  private final int size;
  private final Habits habits;
  private final Runnable afterWork;
  private final Engine engine;
  private final SimNic nic;
  private final Map<Integer, String> choices = new TreeMap<>();
  private boolean taken;
  private boolean closed;
  private long owedNs;
  private int uses;
  private long caretakerNs;
  private long wakeAtNs = Long.MAX_VALUE;
  private long lastWorkNs = -1;
  private int worksAtOnce;
  private long caretakerWorks;

  /**
   * Opens a place at a port of the switch, with a lane to each of the others.
   *
   * @param lives of all nodes, if they can broadcast; null if they cannot
   * @param user who stands on it
   * @param afterWork looks at it whenever its engine has worked
   */
  SimPlace(
      SimProcess process,
      Network network,
      int size,
      EngineConfig config,
      Habits habits,
      @Nullable IntToLongFunction lives,
      LaneUser user,
      Runnable afterWork) {
    this.process = process;
    this.schedule = process.schedule();
    this.size = size;
    this.habits = habits;
    this.afterWork = afterWork;
    engine = new Engine(config, process::nowNs, user);
    nic = new SimNic(network, process.node(), habits.claimsMax(), this::onArrival);
    engine.add(nic);
    for (int peer = 0; peer < size; peer++) {
      if (peer != process.node()) {
        engine.addPeer(peer, List.of(new SimAddress(peer)));
        choices.put(peer, engine.choice(peer));
        if (lives != null) {
          engine.castWith(peer, lives.applyAsLong(peer));
        }
      }
    }
    process.opened(this);
  }

  /** How often something began to hold back what the program sends. */
  public long stalls() {
    long sum = 0;
    for (Lane lane : engine.lanes()) {
      sum += lane.stalls();
    }
    return sum;
  }

  /** How often the network went on while the program did something else. */
  public long caretakerWorks() {
    return caretakerWorks;
  }

  /** Frames that are kept. */
  int claims() {
    return closed ? 0 : nic.claims();
  }

  /** How often its transport counted something. */
  public long count(Count count) {
    return engine.transport().counters().get(count);
  }

  @Override
  public int id() {
    return process.node();
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public Map<Integer, String> choices() {
    return choices;
  }

  @Override
  public @Nullable Lane lane(int node) {
    return engine.lane(node);
  }

  @Override
  public boolean castsAtOnce() {
    return engine.castsAtOnce();
  }

  @Override
  public @Nullable Lane broadcast(String group) {
    return engine.broadcast(group);
  }

  @Override
  public @Nullable Buffers buffers() {
    return engine.buffers();
  }

  // Driving, on the program's threads.

  @Override
  public void take() {
    process.checkAlive();
    misuse(!taken, "the role was taken twice");
    Promise.check(
        ++uses < USES_MAX,
        "every program ends",
        "node %d uses its place for ever, and never waits",
        process.node());
    owedNs += habits.useNs();
    if (process.random().nextInt(habits.preemptedEvery()) == 0) {
      owedNs += process.random().nextLong(habits.preemptedNsMax());
    }
    if (!process.hasForks()) {
      pay();
    }
    taken = true;
  }

  /** Time passes for what was used. Among several threads who pays may hold no lock. */
  private void pay() {
    if (owedNs >= habits.sliceNs()) {
      long ns = owedNs;
      owedNs = 0;
      process.pass(ns);
    }
  }

  @Override
  public void release() {
    if (!process.isCrashed()) {
      misuse(taken, "the role was given back, and not taken");
      plan();
    }
    taken = false;
  }

  @Override
  public boolean work() {
    process.checkAlive();
    misuse(taken, "work without the role");
    caretakerRests();
    boolean happened = engine.work();
    process.look();
    afterWork.run();
    return happened;
  }

  @Override
  public void flush() {
    process.checkAlive();
    misuse(taken, "flush without the role");
    engine.flush();
    process.look();
  }

  @Override
  public void tell() {
    process.checkAlive();
    process.look();
  }

  @Override
  public long nowNs() {
    return process.nowNs();
  }

  @Override
  public boolean await(BooleanSupplier condition, long patienceNs) {
    process.checkAlive();
    misuse(!taken, "waiting with the role");
    if (process.hasForks()) {
      pay();
    }
    if (condition.getAsBoolean()) {
      return true;
    }
    uses = 0;
    boolean held = process.await(condition, patienceNs);
    caretakerRests();
    return held;
  }

  @Override
  public void close() {
    process.checkAlive();
    misuse(!taken, "closed with the role");
    engine.leave();
    unplug();
    process.look();
  }

  /** Nothing is sent or received any more. */
  void unplug() {
    if (!closed) {
      closed = true;
      nic.close();
    }
  }

  private void misuse(boolean right, String what) {
    Promise.check(right, "the role is used rightly", "node %d: %s", process.node(), what);
  }

  /** The program has driven: the caretaker looks again after a while. */
  private void caretakerRests() {
    caretakerNs = schedule.nowNs() + process.random().nextLong(habits.caretakerNsMax());
  }

  // Driving, by the scheduler.

  private void onArrival() {
    planAt(schedule.nowNs() + process.slowNs());
  }

  /** Something may have to be done now. */
  void wake() {
    planAt(schedule.nowNs());
  }

  /** When is the next thing to be done? */
  private void plan() {
    if (closed) {
      return;
    }
    long now = schedule.nowNs();
    if (nic.hasArrivals()) {
      planAt(now + process.slowNs());
    }
    long dueNs = engine.dueInNs();
    if (dueNs != Engine.NEVER) {
      planAt(now + dueNs);
    }
    if (engine.transport().hasFramesWaiting()) {
      planAt(Math.max(now + 1, nic.roomAtNs()));
    }
  }

  private void planAt(long ns) {
    long at = process.isDriving() ? ns : Math.max(ns, caretakerNs);
    if (at < wakeAtNs && !closed) {
      wakeAtNs = at;
      schedule.at(at, () -> onWake(at));
    }
  }

  private void onWake(long plannedNs) {
    if (wakeAtNs != plannedNs) {
      return;
    }
    wakeAtNs = Long.MAX_VALUE;
    if (!process.isRunning() || closed) {
      return;
    }
    if (!process.isDriving() && plannedNs < caretakerNs) {
      planAt(caretakerNs);
      return;
    }
    misuse(!taken, "the role is held while others run");
    worksAtOnce = plannedNs == lastWorkNs ? worksAtOnce + 1 : 0;
    lastWorkNs = plannedNs;
    Promise.check(
        worksAtOnce < WORKS_AT_ONCE_MAX,
        "time goes on",
        "node %d works for ever at %d ns",
        process.node(),
        plannedNs);
    caretakerWorks += process.isDriving() ? 0 : 1;
    boolean _ = engine.work();
    plan();
    process.look();
    afterWork.run();
  }
}

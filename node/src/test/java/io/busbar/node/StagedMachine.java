package io.busbar.node;

import io.busbar.testkit.Stage;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * A machine for a story: its network is a queue, and who sends rings only if the machine is armed,
 * as a carrier does. Whoever touches it while another one does is found out.
 */
final class StagedMachine implements Machine {
  private final ArrayDeque<Integer> network = new ArrayDeque<>();
  private final boolean[] arrived = new boolean[8];
  private @Nullable Thread inside;
  private boolean armed;
  private boolean rung;
  private boolean doorbell;
  private boolean calledOff;
  private boolean watching;
  private long watchingUntilNs;
  private boolean asleep;
  private long asleepUntilNs;
  private long dueNs = NEVER;
  private int due;

  /** Another node sends: not the driver's. */
  void send(int token) {
    Stage.step("sends " + token);
    network.add(token);
    Stage.step("looks whether it is armed");
    if (armed) {
      Stage.step("rings the doorbell");
      doorbell = true;
    }
  }

  boolean hasArrived(int token) {
    return arrived[token];
  }

  /** With the role: something comes of its own at a time. */
  void arrange(int token, long atNs) {
    enter();
    Stage.step("arranges " + token);
    due = token;
    dueNs = atNs;
    leave();
  }

  private void enter() {
    Thread self = Stage.currentThread();
    if (inside != null) {
      throw new AssertionError(
          "%s has the role, and so has %s".formatted(self.getName(), inside.getName()));
    }
    inside = self;
  }

  private void leave() {
    inside = null;
  }

  @Override
  public boolean work() {
    enter();
    Stage.step("works");
    Integer token = network.poll();
    if (token == null && dueNs <= Stage.nanoTime()) {
      token = due;
      dueNs = NEVER;
    }
    if (token != null) {
      arrived[token] = true;
    }
    leave();
    return token != null;
  }

  @Override
  public boolean arm() {
    check(!armed, "it is armed already");
    enter();
    Stage.step("arms");
    doorbell = false;
    armed = true;
    Stage.step("looks once more");
    boolean quiet = network.isEmpty();
    if (!quiet) {
      armed = false;
    }
    leave();
    return quiet;
  }

  @Override
  public void disarm() {
    enter();
    armed = false;
    leave();
  }

  @Override
  public long dueInNs() {
    return dueNs == NEVER ? NEVER : Math.max(0, dueNs - Stage.nanoTime());
  }

  @Override
  public void sleep(long ns) {
    enter();
    Thread self = Stage.currentThread();
    asleep = true;
    asleepUntilNs = ns > NEVER - Stage.nanoTime() ? NEVER : Stage.nanoTime() + ns;
    Stage.block("sleeps", () -> rung || doorbell || Stage.isInterrupted(self), asleepUntilNs);
    asleep = false;
    rung = false;
    leave();
  }

  @Override
  public boolean offerProcessor() {
    Stage.step("offers its processor");
    return false;
  }

  @Override
  public void ring() {
    Stage.step("rings");
    rung = true;
  }

  @Override
  public boolean armWatch() {
    check(!armed, "it is armed already");
    calledOff = false;
    return arm();
  }

  @Override
  public void watch(long ns) {
    Stage.step("watches");
    watching = true;
    watchingUntilNs = ns > NEVER - Stage.nanoTime() ? NEVER : Stage.nanoTime() + ns;
    Stage.block("sleeps without the role", () -> calledOff || doorbell, watchingUntilNs);
    watching = false;
  }

  @Override
  public void beginRest() {
    Stage.step("begins to rest");
    calledOff = false;
  }

  @Override
  public void rest() {
    Stage.step("rests");
    Stage.block("rests until it is called", () -> calledOff, NEVER);
  }

  @Override
  public void callOffWatch() {
    Stage.step("calls the watch off");
    calledOff = true;
  }

  /** Whoever could run may run at any later time: so this is every time from now on. */
  @Override
  public void callOffWatchIn(long ns) {
    callOffWatch();
  }

  /** Whether somebody sleeps without the role, nobody has it, and nothing has come. */
  boolean isWatched() {
    if (watching) {
      check(armed, "somebody watches what is unarmed");
      check(network.isEmpty(), "something has come, and the watch sleeps");
      check(watchingUntilNs <= dueNs, "something is due, and the watch sleeps longer");
    }
    return watching;
  }

  /** Everybody waits, and somebody has the role: he sleeps, and nothing has come. */
  void checkSleeper() {
    check(asleep, "somebody has the role, and does not sleep with it");
    check(armed, "the driver sleeps unarmed");
    check(network.isEmpty(), "something has come, and the driver sleeps");
    check(asleepUntilNs <= dueNs, "something is due, and the driver sleeps longer");
  }

  void checkEnd() {
    check(inside == null && !armed && !asleep && !watching, "somebody is still inside");
    check(network.isEmpty(), "something has come, and nobody took it");
  }

  static void check(boolean so, String otherwise) {
    if (!so) {
      throw new AssertionError(otherwise);
    }
  }
}

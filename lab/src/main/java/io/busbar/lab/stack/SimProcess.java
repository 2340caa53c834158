package io.busbar.lab.stack;

import io.busbar.lab.Schedule;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One process: one life of a node. Its program has a thread, which runs while it has the baton;
 * time passes only while all threads wait here. It can be paused, slowed down and crashed, and its
 * clock may jump.
 */
public final class SimProcess {
  /** Waking takes a while. */
  private static final int WAKE_NS_MAX = 5_000;

  private static final class Waiting {
    final Baton.Turn turn = new Baton.Turn();
    final @Nullable BooleanSupplier condition;
    final long deadlineNs;

    /** Whether it is known how the wait ends, and that it goes on. */
    boolean called;

    boolean result;

    Waiting(@Nullable BooleanSupplier condition, long deadlineNs) {
      this.condition = condition;
      this.deadlineNs = deadlineNs;
    }
  }

  private final Schedule schedule;
  private final Baton baton;
  private final int node;
  private final int life;
  private final SplittableRandom random;
  private final List<Waiting> waiting = new ArrayList<>();
  private final List<Waiting> held = new ArrayList<>();
  private final List<Thread> heldForks = new ArrayList<>();
  private @Nullable SimPlace place;
  private long clockAheadNs;
  private boolean paused;
  private long slowNs;
  private boolean crashed;
  private boolean started;
  private boolean ended;
  private int forks;

  SimProcess(
      Schedule schedule,
      Baton baton,
      int node,
      int life,
      long clockAheadNs,
      SplittableRandom random) {
    this.schedule = schedule;
    this.baton = baton;
    this.node = node;
    this.life = life;
    this.clockAheadNs = clockAheadNs;
    this.random = random;
  }

  /** Starts its program, which gets the baton now. */
  void start(Consumer<SimProcess> program) {
    started = true;
    Thread thread =
        Thread.ofVirtual()
            .name("node %d, life %d".formatted(node, life))
            .unstarted(
                () -> {
                  try {
                    program.accept(this);
                  } finally {
                    ended = true;
                    baton.giveBack();
                  }
                });
    baton.start(thread);
  }

  /**
   * Another thread of the program begins soon. From then on time passes only where threads wait:
   * who is stopped elsewhere may hold a lock that another one needs.
   */
  public void fork(String name, Runnable work) {
    checkAlive();
    forks++;
    Thread thread = Thread.ofVirtual().name(name).unstarted(() -> runFork(work));
    schedule.at(schedule.nowNs() + random.nextInt(WAKE_NS_MAX) + slowNs, () -> begin(thread));
  }

  private void runFork(Runnable work) {
    try {
      work.run();
    } catch (Crashed e) {
      // as all threads of it
    } finally {
      forks--;
      baton.giveBack();
    }
  }

  private void begin(Thread thread) {
    if (paused) {
      heldForks.add(thread);
    } else if (crashed) {
      forks--;
    } else {
      baton.start(thread);
    }
  }

  /** Whether its program has more than one thread. */
  boolean hasForks() {
    return forks > 0;
  }

  /** Which node it is. */
  public int node() {
    return node;
  }

  /** Which life of the node's this is; the first is 0. */
  public int life() {
    return life;
  }

  /** Virtual time. */
  public Schedule schedule() {
    return schedule;
  }

  /** Where chance in this process comes from. */
  public SplittableRandom random() {
    return random;
  }

  /** What its own clock says. */
  public long nowNs() {
    return schedule.nowNs() + clockAheadNs;
  }

  /** A moment: by its own clock, which may jump, and in truth. */
  record Moment(long clockNs, long trueNs) {}

  Moment now() {
    return new Moment(nowNs(), schedule.nowNs());
  }

  /** How long ago a moment was, by its own clock or in truth, whatever is longer. */
  long sinceNs(Moment start) {
    return Math.max(nowNs() - start.clockNs, schedule.nowNs() - start.trueNs);
  }

  /** How far its clock is ahead of the schedule's. */
  long clockAheadNs() {
    return clockAheadNs;
  }

  /** Whether it was stopped. */
  public boolean isCrashed() {
    return crashed;
  }

  /** Whether its program is still to begin. */
  boolean isToStart() {
    return !started && !crashed;
  }

  /** Whether its program has ended, all threads of it, in whatever way. */
  public boolean isEnded() {
    return ended && forks == 0;
  }

  /** Whether it can do anything now. */
  boolean isRunning() {
    return !crashed && !isEnded() && !paused;
  }

  long slowNs() {
    return slowNs;
  }

  void opened(SimPlace newPlace) {
    place = newPlace;
  }

  /** Its place; null before it has one. */
  public @Nullable SimPlace place() {
    return place;
  }

  // Waiting, on the program's threads.

  void checkAlive() {
    if (crashed) {
      throw new Crashed(node);
    }
  }

  /** Time passes: the program computes. */
  public void pass(long ns) {
    boolean _ = await(null, ns);
  }

  /**
   * Waits until a condition holds or the time has passed; false in the latter case. Without a
   * condition nobody drives meanwhile.
   */
  boolean await(@Nullable BooleanSupplier condition, long patienceNs) {
    checkAlive();
    long now = nowNs();
    long deadlineNs = patienceNs >= Long.MAX_VALUE - now ? Long.MAX_VALUE : now + patienceNs;
    Waiting mine = new Waiting(condition, deadlineNs);
    waiting.add(mine);
    planDeadline(mine);
    if (condition != null && place != null) {
      place.wake();
    }
    baton.await(mine.turn);
    boolean _ = waiting.remove(mine);
    checkAlive();
    return mine.result;
  }

  /** Whether a thread of the program's waits for the network, and so drives. */
  boolean isDriving() {
    for (Waiting one : waiting) {
      if (one.condition != null) {
        return true;
      }
    }
    return false;
  }

  // What the scheduler does.

  private void planDeadline(Waiting one) {
    if (one.deadlineNs != Long.MAX_VALUE) {
      schedule.at(one.deadlineNs - clockAheadNs, () -> onDeadline(one));
    }
  }

  private void onDeadline(Waiting one) {
    if (!one.called && waiting.contains(one)) {
      if (nowNs() < one.deadlineNs) {
        planDeadline(one); // the clock went back
      } else {
        call(one, false);
      }
    }
  }

  /** Those who wait look at what they wait for. */
  void look() {
    for (Waiting one : waiting) {
      if (!one.called && one.condition != null && one.condition.getAsBoolean()) {
        call(one, true);
      }
    }
  }

  private void call(Waiting one, boolean result) {
    one.called = true;
    one.result = result;
    schedule.at(schedule.nowNs() + random.nextInt(WAKE_NS_MAX) + slowNs, () -> resume(one));
  }

  private void resume(Waiting one) {
    if (paused) {
      held.add(one);
    } else if (!crashed) {
      baton.give(one.turn);
    }
  }

  // Faults.

  /** It stops at once: whatever its threads do next throws. */
  public void crash() {
    crashed = true;
    if (place != null) {
      place.unplug();
    }
    while (!waiting.isEmpty()) {
      baton.give(waiting.getFirst().turn);
    }
  }

  void pause(boolean isPaused) {
    paused = isPaused;
    if (!isPaused) {
      List<Waiting> due = List.copyOf(held);
      held.clear();
      due.forEach(one -> schedule.at(schedule.nowNs(), () -> resume(one)));
      List<Thread> dueForks = List.copyOf(heldForks);
      heldForks.clear();
      dueForks.forEach(one -> schedule.at(schedule.nowNs(), () -> begin(one)));
      wake();
    }
  }

  void slow(long everyNs) {
    slowNs = everyNs;
  }

  void jump(long aheadNs) {
    clockAheadNs += aheadNs;
    waiting.forEach(this::planDeadline);
    wake();
  }

  private void wake() {
    if (place != null && isRunning()) {
      place.wake();
    }
  }
}

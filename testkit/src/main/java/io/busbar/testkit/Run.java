package io.busbar.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One order of a story's steps. One thread at a time has the turn. Before each of its steps another
 * one may get it, which is a preemption; when it waits, any other one may, at no cost. Time stands
 * still while somebody can go on, unless a preemption is spent on letting it pass.
 */
final class Run {
  private static final int NOBODY = -1;
  private static final int STEPS_MAX = 20_000;

  /** Who waits until later than that is not woken by a whim of time. */
  private static final long HORIZON_NS = 1_000_000_000L;

  /** Ends the threads of a run that has failed. */
  private static final class Abandoned extends Error {
    private static final long serialVersionUID = 1;

    Abandoned() {
      super("the run has failed", null, false, false);
    }
  }

  private final Interleavings.Story story;
  private final Path path;
  private final int preemptionsMax;
  private final @Nullable List<String> trace;
  private final Thread explorer = Thread.currentThread();
  private final List<Actor> actors = new ArrayList<>();
  private final List<Actor> others = new ArrayList<>();
  private @Nullable Throwable failure;
  private boolean acting;

  /** Nobody acts: the story is told, or looked at. */
  private boolean quiet = true;

  private int preemptions;
  private int steps;
  private long nowNs;
  private volatile int turn = NOBODY;

  Run(
      Supplier<Interleavings.Story> stories,
      Path path,
      int preemptionsMax,
      @Nullable List<String> trace) {
    this.path = path;
    this.preemptionsMax = preemptionsMax;
    this.trace = trace;
    Stage.enter(this);
    story = stories.get();
  }

  /** Runs it to its end; throws what went wrong. */
  void play() {
    try {
      story.begin();
      quiet = false;
      acting = true;
      actors.forEach(actor -> actor.worker.start());
      passOn();
      awaitTurn(NOBODY);
      acting = false;
      if (failure == null) {
        quiet = true;
        story.end();
      }
    } finally {
      Stage.exit();
    }
    if (failure != null) {
      throw new AssertionError(failure.toString(), failure);
    }
  }

  void begin(Thread handle, Runnable body) {
    int index = actors.size();
    Thread worker = Thread.ofVirtual().unstarted(() -> live(index, body));
    actors.add(new Actor(index, handle, worker));
    if (acting) {
      worker.start();
    }
  }

  private void live(int index, Runnable body) {
    Stage.enter(this);
    Actor self = actors.get(index);
    try {
      awaitTurn(index);
      checkFailure();
      body.run();
      self.at = "has ended";
    } catch (Abandoned e) {
      self.at = "was abandoned";
    } catch (Throwable e) {
      fail(e);
    }
    self.ended = true;
    passOn();
  }

  private void fail(Throwable why) {
    if (failure == null) {
      failure = why;
    }
  }

  private void checkFailure() {
    if (failure != null) {
      throw new Abandoned();
    }
  }

  // What actors do.

  Actor self() {
    return actors.get(turn);
  }

  @Nullable Actor actor(@Nullable Thread handle) {
    for (Actor actor : actors) {
      if (actor.handle.equals(handle)) {
        return actor;
      }
    }
    return null;
  }

  long nowNs() {
    return nowNs;
  }

  void calm() {
    preemptions = preemptionsMax;
  }

  void step(String what) {
    if (quiet) {
      return;
    }
    Actor self = count(what);
    if (preemptions < preemptionsMax) {
      others.clear();
      collectReady(self);
      collectTimed(self);
      int next = path.choose(1 + others.size());
      if (next > 0) {
        preemptions++;
        give(others.get(next - 1));
        awaitTurn(self);
      }
    }
    tell(self, what);
  }

  void block(String what, BooleanSupplier until, long untilNs) {
    Actor self = count(what);
    self.until = until;
    self.untilNs = untilNs;
    if (!self.canGoOn(nowNs)) {
      tell(self, what + ", and waits");
      passOn();
      awaitTurn(self);
    }
    self.until = null;
    self.untilNs = Stage.NEVER;
    tell(self, what + ", and goes on");
  }

  /** Whoever can go on does so before the one who spins. */
  void spin() {
    Actor self = count("spins");
    long before = 0;
    for (Actor actor : actors) {
      if (actor != self && actor.canGoOn(nowNs)) {
        before |= 1L << actor.index;
      }
    }
    self.before = before;
    if (before != 0) {
      passOn();
      awaitTurn(self);
    }
  }

  private Actor count(String what) {
    checkFailure();
    Actor self = self();
    self.at = what;
    if (++steps > STEPS_MAX) {
      throw new AssertionError("it goes on for ever" + places());
    }
    return self;
  }

  private void tell(Actor self, String what) {
    if (trace != null) {
      trace.add("%-12s %s".formatted(self.handle.getName(), what));
    }
  }

  // Whose turn it is.

  private void awaitTurn(Actor self) {
    awaitTurn(self.index);
    checkFailure();
  }

  private void awaitTurn(int index) {
    while (turn != index) {
      LockSupport.park(this);
    }
  }

  private void give(Actor to) {
    if (!to.canGoOn(nowNs)) {
      nowNs = to.untilNs;
      if (trace != null) {
        trace.add("time passes: " + nowNs + " ns");
      }
    }
    for (Actor actor : actors) {
      actor.before &= ~(1L << to.index);
    }
    turn = to.index;
    LockSupport.unpark(to.worker);
  }

  /** The one who had the turn waits or has ended. */
  private void passOn() {
    while (failure == null) {
      others.clear();
      collectReady(null);
      int ready = others.size();
      if (ready > 0) {
        if (preemptions < preemptionsMax) {
          collectTimed(null);
        }
        int next = path.choose(others.size());
        preemptions += next < ready ? 0 : 1;
        give(others.get(next));
        return;
      }
      if (actors.stream().allMatch(actor -> actor.ended)) {
        end();
        return;
      }
      letTimePass();
    }
    unwind();
  }

  private void letTimePass() {
    quiet = true;
    try {
      story.still();
      long next = Stage.NEVER;
      for (Actor actor : actors) {
        next = actor.ended ? next : Math.min(next, actor.untilNs);
      }
      if (next == Stage.NEVER) {
        throw new AssertionError("nobody can ever go on");
      }
      nowNs = next;
      if (trace != null) {
        trace.add("all wait, and time passes: " + nowNs + " ns");
      }
    } catch (Throwable e) {
      fail(new AssertionError(e.getMessage() + places(), e));
    } finally {
      quiet = false;
    }
  }

  private String places() {
    StringBuilder places = new StringBuilder(";");
    for (Actor actor : actors) {
      places.append(" %s: %s.".formatted(actor.handle.getName(), actor.at));
    }
    return places.toString();
  }

  /** Everybody gets the turn once more, and ends. */
  private void unwind() {
    for (Actor actor : actors) {
      if (!actor.ended) {
        turn = actor.index;
        LockSupport.unpark(actor.worker);
        return;
      }
    }
    end();
  }

  private void end() {
    turn = NOBODY;
    LockSupport.unpark(explorer);
  }

  private void collectReady(@Nullable Actor but) {
    long ready = 0;
    for (Actor actor : actors) {
      ready |= actor.canGoOn(nowNs) ? 1L << actor.index : 0;
    }
    for (Actor actor : actors) {
      boolean can = (ready & (1L << actor.index)) != 0 && (actor.before & ready) == 0;
      if (can && actor != but) {
        others.add(actor);
      }
    }
  }

  private void collectTimed(@Nullable Actor but) {
    for (Actor actor : actors) {
      if (actor != but && actor.waitsForTime(nowNs, HORIZON_NS)) {
        others.add(actor);
      }
    }
  }

  /** The choices of a run: those that it finds here it takes, and to those it adds. */
  static final class Path {
    private record Choice(int taken, int of) {}

    private final List<Choice> choices = new ArrayList<>();
    private int at;

    int choose(int of) {
      if (of == 1) {
        return 0;
      }
      if (at == choices.size()) {
        choices.add(new Choice(0, of));
      }
      Choice choice = choices.get(at++);
      if (choice.of != of) {
        throw new IllegalStateException("the story does not do the same when it is repeated");
      }
      return choice.taken;
    }

    void rewind() {
      at = 0;
    }

    /** The next path; false when there is none. */
    boolean advance() {
      at = 0;
      while (!choices.isEmpty()) {
        Choice last = choices.removeLast();
        if (last.taken + 1 < last.of) {
          choices.add(new Choice(last.taken + 1, last.of));
          return true;
        }
      }
      return false;
    }
  }
}

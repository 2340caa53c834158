package io.busbar.lab.mpi;

import io.busbar.lab.FaultPlan;
import io.busbar.lab.Shape;
import io.busbar.lab.TraceHash;
import io.busbar.lab.TraceLine;
import io.busbar.lab.Violation;
import io.busbar.lab.stack.Crashed;
import io.busbar.lab.stack.Habits;
import io.busbar.lab.stack.SimProcess;
import io.busbar.lab.stack.Stack;
import io.busbar.mpi.Holdings;
import io.busbar.mpi.MpiConfig;
import io.busbar.mpi.World;
import io.busbar.transport.Count;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One run of ranks, all of it drawn from a seed: programs of MPI over messages in virtual time, and
 * what goes wrong below them. Every receive has what it must have; nothing fails unless a rank was
 * killed or cut off; and every rank that was not ends.
 */
public final class MpiScenario {
  /** One rank alone would have nobody to talk to. */
  public static final int RANKS_MIN = 2;

  /** More take long. */
  public static final int RANKS_MAX = 32;

  private static final int DRAWN_RANKS_MAX = 7;
  private static final long SECOND_NS = 1_000_000_000L;
  private static final long START_NS = 1_000_000;
  private static final long TICK_NS = 50_000_000;

  /** Longer than it takes that each finds out about the one before it, one after the other. */
  private static final long END_NS = 600 * SECOND_NS;

  private static final long CUT_NS_MIN = 60 * SECOND_NS;
  private static final int FRAME_BYTES_MIN = 576;

  /** One seed of so many has a bus. */
  private static final int BUS_EVERY = 3;

  /** Streams that share less than a frame each go on, but each waits for a timer before each. */
  private static final int BUDGET_FRAMES_PER_RANK = 18;

  private final long seed;
  private final SplittableRandom random;
  private final FaultPlan plan;
  private final boolean isCut;
  private final Script script;
  private final Stack stack;
  private final TraceHash trace = new TraceHash();
  private final @Nullable Consumer<String> story;
  private final Umpire umpire;
  private @Nullable Violation violation;
  private int deaths;

  /**
   * Draws a run from a seed; nothing has happened yet.
   *
   * @param ranks how many take part; 0: drawn from the seed
   * @param story gets every frame and what every program does, a line each; null for silence
   */
  public MpiScenario(long seed, int ranks, @Nullable Consumer<String> story) {
    this.seed = seed;
    this.story = story;
    random = new SplittableRandom(seed);
    int drawn = RANKS_MIN + random.nextInt(DRAWN_RANKS_MAX - RANKS_MIN + 1);
    int size = ranks == 0 ? drawn : ranks;
    long healNs = 5_000_000 + random.nextLong(random.nextInt(3) == 0 ? 2 * SECOND_NS : 60_000_000);
    plan = random.nextInt(5) == 0 ? FaultPlan.none() : FaultPlan.draw(random.split(), size, healNs);
    isCut = random.nextInt(20) == 0;
    Shape shape = drawShape(size);
    script = Script.draw(random.split(), shape.frameBytesMax());
    Habits habits = Habits.draw(random.split()).withProbes(random.split());
    stack = new Stack(random.split(), size, Shape.link(random.split()), shape, habits, this::live);
    if (seed % BUS_EVERY == 0 && !plan.hasAny(FaultPlan.Kind.CORRUPTION)) {
      stack.onBus(); // its frames have no checksums of their own
    }
    umpire = new Umpire(stack, trace, story, script.creditBytes());
  }

  private Shape drawShape(int size) {
    Shape drawn;
    do {
      drawn = Shape.draw(random.split(), plan.hasAny(FaultPlan.Kind.CORRUPTION));
    } while (drawn.frameBytesMax() < FRAME_BYTES_MIN
        || drawn.creditBudgetBytes()
            < (long) BUDGET_FRAMES_PER_RANK * size * drawn.frameBytesMax());
    return drawn;
  }

  /** Runs to the end. Threads of its own do it, one at a time. */
  public MpiOutcome run() {
    Thread scheduler = Thread.ofVirtual().name("lab").unstarted(this::judge);
    scheduler.start();
    boolean interrupted = false;
    while (scheduler.isAlive()) {
      try {
        scheduler.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return new MpiOutcome(
        seed,
        stack.size(),
        script.manner(),
        stack.network().frames(),
        umpire.received(),
        umpire.bytes(),
        umpire.collectives(),
        umpire.calledBack(),
        umpire.casts(),
        deaths,
        umpire.errors(),
        stack.sum(place -> place.count(Count.REPAIRS_OUT)),
        stack.schedule().nowNs(),
        trace.value(),
        plan.kinds(),
        violation);
  }

  private void judge() {
    try {
      play();
      if (!umpire.hasReason()) {
        umpire.checkAccounts();
        umpire.checkRecalls();
      }
    } catch (Violation e) {
      umpire.fail(e);
    } catch (RuntimeException e) {
      umpire.fail(unexpected(e));
    }
    violation = umpire.violation();
    deaths = umpire.deaths();
    dismiss();
  }

  private static Violation unexpected(Throwable e) {
    Violation made = new Violation("no exception", e.toString());
    made.initCause(e);
    return made;
  }

  /** Programs that are left over end, too. */
  private void dismiss() {
    for (SimProcess process : stack.processes()) {
      if (!process.isEnded() && !process.isCrashed()) {
        process.crash();
      }
    }
  }

  private void play() {
    TraceLine lines = story == null ? null : new TraceLine(story);
    stack
        .network()
        .watch(
            (now, what, bytes, length) -> {
              trace.onFrame(now, what, bytes, length);
              if (lines != null) {
                lines.onFrame(now, what, bytes, length);
              }
            });
    plan.apply(stack);
    if (isCut) {
      int node = random.nextInt(stack.size());
      long fromNs = random.nextLong(plan.healNs() + START_NS);
      stack.schedule().at(fromNs, () -> cutOff(node));
    }
    stack.start(START_NS);
    long untilNs = plan.healNs() + (isCut ? CUT_NS_MIN : 0) + END_NS;
    while (!umpire.haveAllEnded()) {
      if (stack.schedule().nowNs() >= untilNs) {
        throw umpire.unfinished();
      }
      runUntil(stack.schedule().nowNs() + TICK_NS);
    }
    runUntil(stack.schedule().nowNs());
  }

  /** A rank is cut off for longer than anybody waits. */
  private void cutOff(int node) {
    umpire.isolate(node);
    cut(node, true);
    stack.schedule().at(stack.schedule().nowNs() + CUT_NS_MIN, () -> cut(node, false));
  }

  private void cut(int node, boolean isNow) {
    for (int other = 0; other < stack.size(); other++) {
      if (other != node) {
        stack.faults().cut(node, other, isNow);
        stack.faults().cut(other, node, isNow);
      }
    }
  }

  private void runUntil(long untilNs) {
    while (umpire.violation() == null && stack.schedule().step(untilNs)) {}
    Violation broken = umpire.violation();
    if (broken != null) {
      throw broken;
    }
    stack.schedule().runUntil(untilNs);
  }

  // What each process does.

  /** A rank that was killed does not come back. */
  private void live(SimProcess process) {
    if (process.life() > 0) {
      return;
    }
    AtomicReference<@Nullable Holdings> holdings = new AtomicReference<>();
    MpiConfig config =
        MpiConfig.defaults().withCredit(script.creditBytes()).withTasks(process::fork);
    Runnable look = () -> check(process, holdings.get());
    try (World world = World.join(user -> stack.open(process, user, look), stack.size(), config)) {
      holdings.set(world.holdings());
      play(process, world);
    } catch (Crashed e) {
      umpire.note(process, "dies", process.life());
    } catch (Violation e) {
      umpire.fail(e);
    } catch (Exception | Error e) {
      umpire.fail(unexpected(e));
    }
  }

  private void check(SimProcess process, @Nullable Holdings holdings) {
    if (holdings != null) {
      umpire.checkKept(process, holdings);
    }
  }

  /** What goes wrong is known before the world is closed. */
  private void play(SimProcess process, World world) {
    try {
      new Rank(umpire, process, script).play(world);
    } catch (Violation e) {
      umpire.fail(e);
    } catch (RuntimeException e) {
      umpire.fail(unexpected(e));
    } finally {
      umpire.onCasts(world.casts());
    }
  }
}

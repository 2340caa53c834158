package io.busbar.lab.stack;

import io.busbar.lab.FaultPlan;
import io.busbar.lab.Shape;
import io.busbar.lab.TraceHash;
import io.busbar.lab.TraceLine;
import io.busbar.lab.Violation;
import io.busbar.messages.Messages;
import io.busbar.node.Lane;
import io.busbar.node.LaneUser;
import io.busbar.transport.Count;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One run of the whole stack, all of it drawn from a seed: programs that send messages over places
 * in virtual time, and what goes wrong below them. After the faults every message has arrived, or
 * who sent it was told, and every program ends.
 */
public final class StackScenario {
  /** What stands between an engine and the messages over it; the tests break things there. */
  interface Seam {
    LaneUser between(int node, LaneUser user);
  }

  private static final long SECOND_NS = 1_000_000_000L;
  private static final long START_NS = 1_000_000;
  private static final long TICK_NS = 50_000_000;

  /** Longer than anybody is silent, blocked or deaf, one after the other. */
  private static final long END_NS = 600 * SECOND_NS;

  /** Longer than a farewell is said to somebody who does not answer. */
  private static final long REST_NS = 15 * SECOND_NS;

  private static final long CUT_NS_MIN = 12 * SECOND_NS;

  private final long seed;
  private final SplittableRandom random;
  private final Seam seam;
  private final Plot plot;
  private final FaultPlan plan;
  private final Shape shape;
  private final Setting setting;
  private final Habits habits;
  private final Stack stack;
  private final TraceHash trace = new TraceHash();
  private final @Nullable Consumer<String> story;
  private final Referee referee;
  private @Nullable Violation violation;

  /**
   * Draws a run from a seed; nothing has happened yet.
   *
   * @param story gets every frame and what every program does, a line each; null for silence
   */
  public StackScenario(long seed, @Nullable Consumer<String> story) {
    this(seed, story, (node, user) -> user);
  }

  StackScenario(long seed, @Nullable Consumer<String> story, Seam seam) {
    this.seed = seed;
    this.story = story;
    this.seam = seam;
    random = new SplittableRandom(seed);
    plot = Plot.draw(random);
    int nodes = plot.drawNodes(random);
    long healNs = 5_000_000 + random.nextLong(random.nextInt(3) == 0 ? 2 * SECOND_NS : 60_000_000);
    plan =
        random.nextInt(5) == 0 ? FaultPlan.none() : FaultPlan.draw(random.split(), nodes, healNs);
    shape = drawShape();
    boolean cut = plot == Plot.MIXED && random.nextInt(12) == 0;
    long cutNs = cut ? healNs + SECOND_NS : Setting.NEVER;
    long calmNs = cut ? cutNs + CUT_NS_MIN + random.nextLong(CUT_NS_MIN) : healNs;
    setting = new Setting(shape.frameBytesMax(), healNs, cutNs, calmNs);
    habits = Habits.draw(random.split());
    stack = new Stack(random.split(), nodes, Shape.link(random.split()), shape, habits, this::live);
    referee = new Referee(stack, trace, story);
  }

  private Shape drawShape() {
    Shape drawn;
    do {
      drawn = Shape.draw(random.split(), plan.hasAny(FaultPlan.Kind.CORRUPTION));
    } while (drawn.frameBytesMax() < plot.frameBytesMin()
        || drawn.creditBudgetBytes() < (long) plot.budgetFramesMin() * drawn.frameBytesMax());
    return drawn;
  }

  /** Runs to the end. Threads of its own do it, one at a time. */
  public StackOutcome run() {
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
    return new StackOutcome(
        seed,
        plot,
        stack.size(),
        stack.network().frames(),
        referee.books().arrivals(),
        referee.books().bytes(),
        stack.sum(SimPlace::stalls),
        stack.sum(SimPlace::caretakerWorks),
        stack.sum(place -> place.count(Count.REPAIRS_OUT)),
        referee.losses(),
        referee.refusals(),
        referee.brokenOff(),
        referee.timedOut(),
        stack.schedule().nowNs(),
        trace.value(),
        plan.kinds(),
        violation);
  }

  private void judge() {
    try {
      play();
      end();
    } catch (Violation e) {
      referee.fail(e);
    } catch (RuntimeException e) {
      referee.fail(unexpected(e));
    }
    violation = referee.violation();
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
    if (setting.isCut()) {
      int node = random.nextInt(stack.size());
      referee.isolate(node);
      int ways = 1 + random.nextInt(3);
      stack.schedule().at(setting.cutNs(), () -> cut(node, ways, true));
      stack.schedule().at(setting.calmNs(), () -> cut(node, ways, false));
    }
    stack.start(START_NS);
    runUntil(setting.calmNs());
    await(referee::isOver, setting.calmNs() + END_NS);
  }

  /** A node is not heard, hears nothing, or both. */
  private void cut(int node, int ways, boolean isCut) {
    for (int other = 0; other < stack.size(); other++) {
      if (other != node) {
        if ((ways & 1) != 0) {
          stack.faults().cut(node, other, isCut);
        }
        if ((ways & 2) != 0) {
          stack.faults().cut(other, node, isCut);
        }
      }
    }
  }

  private long lanes() {
    return (long) stack.size() * stack.size();
  }

  /** When all is over, the network comes to rest; then the programs close. */
  private void end() {
    long now = stack.schedule().nowNs();
    long restNs = REST_NS + habits.lossNs(REST_NS);
    runUntil(now + restNs);
    long frames = stack.network().frames();
    runUntil(now + restNs + SECOND_NS);
    Promise.check(
        stack.network().frames() <= frames + habits.probes(lanes(), SECOND_NS),
        "rest after the faults",
        "%d frames were sent, and nobody had anything to say",
        stack.network().frames() - frames);
    new StormCheck(referee.books(), setting.frameBytes(), habits.probes(lanes(), now + restNs))
        .check(frames);
    referee.close();
    await(referee::haveAllEnded, now + END_NS);
    referee.checkEnd();
  }

  /** Lets time pass until something holds; when time is up, the run has failed. */
  private void await(BooleanSupplier condition, long untilNs) {
    while (!condition.getAsBoolean()) {
      if (stack.schedule().nowNs() >= untilNs) {
        throw referee.unfinished();
      }
      runUntil(stack.schedule().nowNs() + TICK_NS);
    }
  }

  private void runUntil(long untilNs) {
    while (referee.violation() == null && stack.schedule().step(untilNs)) {}
    Violation broken = referee.violation();
    if (broken != null) {
      throw broken;
    }
    stack.schedule().runUntil(untilNs);
  }

  // What each process does.

  private void live(SimProcess process) {
    Actor actor = new Actor(referee, process, plot.part(setting, process));
    referee.add(actor);
    try (Messages messages = Messages.over(user -> open(process, actor, user), actor)) {
      play(actor, messages);
    } catch (Crashed e) {
      referee.note(process, "crashes", process.node(), process.life());
    } catch (Violation e) {
      referee.fail(e);
    } catch (Exception | Error e) {
      referee.fail(unexpected(e));
    }
  }

  /** What goes wrong is known before the messages are closed. */
  private void play(Actor actor, Messages messages) throws InterruptedException {
    try {
      actor.play(messages);
    } catch (Violation e) {
      referee.fail(e);
    } catch (RuntimeException e) {
      referee.fail(unexpected(e));
    }
  }

  /**
   * What may wait: what a lane holds, and the transport's window; the sum of windows is bounded.
   */
  private SimPlace open(SimProcess process, Actor actor, LaneUser user) {
    int peers = stack.size() - 1;
    long streams = 1 + Lane.CHANNELS;
    long perPeer = Stack.PARKED_BYTES + streams * shape.windowBytesMax();
    long rest = peers * (Stack.PARKED_BYTES + streams * shape.frameBytesMax());
    long sum = rest + shape.creditBudgetBytes();
    Gauge gauge = actor.measure(user, stack.size(), perPeer, sum);
    return stack.open(process, seam.between(process.node(), gauge), gauge::check);
  }
}

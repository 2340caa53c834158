package io.busbar.testkit;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link Staging staged} class calls where it called the virtual machine: the clock, park
 * and unpark, interrupts. Its threads run one at a time, in virtual time, in the order that {@link
 * Interleavings} tries. A story's own code calls {@link #step} before what it shares, and {@link
 * #block} where it waits.
 */
public final class Stage {
  /** No time at which something happens. */
  public static final long NEVER = Long.MAX_VALUE;

  private static final ThreadLocal<Run> RUN = new ThreadLocal<>();

  private Stage() {}

  static void enter(Run run) {
    RUN.set(run);
  }

  static void exit() {
    RUN.remove();
  }

  private static Run run() {
    Run run = RUN.get();
    if (run == null) {
      throw new IllegalStateException("a staged class runs only in a story of Interleavings");
    }
    return run;
  }

  // For stories.

  /** A thread of the story; it runs from the story's beginning, or from now. */
  public static Thread actor(String name, boolean virtual, Runnable body) {
    Thread.Builder kind = virtual ? Thread.ofVirtual() : Thread.ofPlatform();
    Thread handle = kind.name(name).unstarted(body);
    run().begin(handle, body);
    return handle;
  }

  /** Before a look at something shared, or a change of it: another thread may go first. */
  public static void step(String what) {
    run().step(what);
  }

  /** Waits until a condition holds or a time has come. */
  public static void block(String what, BooleanSupplier until, long untilNs) {
    run().block(what, until, untilNs);
  }

  /** From here on a thread changes only when it waits: the rest of a story is only its end. */
  public static void calm() {
    run().calm();
  }

  // For staged classes: the names of what they replace.

  public static void park(Object blocker) {
    parkUntil(NEVER);
  }

  public static void parkNanos(Object blocker, long ns) {
    if (ns > 0) {
      long now = run().nowNs();
      parkUntil(ns > NEVER - now ? NEVER : now + ns);
    }
  }

  private static void parkUntil(long untilNs) {
    Actor self = run().self();
    run().block("parks", () -> self.permit || self.interrupted, untilNs);
    self.permit = false;
  }

  public static void unpark(@Nullable Thread thread) {
    run().step("unparks " + (thread == null ? "nobody" : thread.getName()));
    Actor actor = run().actor(thread);
    if (actor != null) {
      actor.permit = true;
    }
  }

  public static long nanoTime() {
    return run().nowNs();
  }

  public static Thread currentThread() {
    return run().self().handle;
  }

  public static boolean interrupted() {
    Actor self = run().self();
    boolean was = self.interrupted;
    self.interrupted = false;
    return was;
  }

  public static boolean isInterrupted(Thread thread) {
    Actor actor = run().actor(thread);
    return actor != null && actor.interrupted;
  }

  public static void interrupt(Thread thread) {
    run().step("interrupts " + thread.getName());
    Actor actor = run().actor(thread);
    if (actor != null) {
      actor.interrupted = true;
    }
  }

  public static void onSpinWait() {
    run().spin();
  }

  public static void start(Thread thread) {
    run().begin(thread, thread);
  }

  public static boolean isAlive(Thread thread) {
    Actor actor = run().actor(thread);
    return actor != null && !actor.ended;
  }

  public static void join(Thread thread) throws InterruptedException {
    Actor self = run().self();
    run().block("joins " + thread.getName(), () -> !isAlive(thread) || self.interrupted, NEVER);
    if (interrupted()) {
      throw new InterruptedException();
    }
  }
}

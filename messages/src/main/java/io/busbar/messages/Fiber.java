package io.busbar.messages;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A virtual thread that runs one handler after the other, in turns with the extractor: when one
 * goes on, the other waits. So handlers that wait cost a thread each and never run at once.
 */
final class Fiber {
  /** Looks before the extractor offers its processor: the handler's thread may wait for that. */
  private static final int LOOKS = 20;

  /** Offers before it goes to sleep: handlers are short. */
  private static final int OFFERS = 200;

  private final Thread thread;
  private final Runnable offerProcessor;
  private final Consumer<Throwable> onThrown;

  /** Whether it is the handler's turn; otherwise the extractor's. */
  private volatile boolean handlers;

  private volatile boolean ended;

  /** Whether its thread was interrupted while it waited. */
  private volatile boolean interrupted;

  private @Nullable Thread extractor;
  private @Nullable Runnable task;

  /**
   * A thread that has not begun.
   *
   * @param offerProcessor lets another thread run, if one waits for a processor
   * @param onThrown is given what a task throws, which no task should
   */
  Fiber(int number, Runnable offerProcessor, Consumer<Throwable> onThrown) {
    this.offerProcessor = offerProcessor;
    this.onThrown = onThrown;
    thread = Thread.ofVirtual().name("busbar handler " + number).unstarted(this::run);
  }

  private static void nothing() {}

  /** The thread that runs the handlers. */
  Thread thread() {
    return thread;
  }

  boolean isCurrent() {
    return Thread.currentThread().equals(thread);
  }

  /** Whether its last task is over. */
  boolean isIdle() {
    return task == null;
  }

  /** Begins a task, and returns when it pauses or is over; the extractor's. */
  void begin(Runnable what) {
    task = what;
    if (thread.getState() == Thread.State.NEW) {
      thread.start();
    }
    goOn();
  }

  /** Lets it go on until it pauses again or is over; the extractor's. Not interrupted. */
  void goOn() {
    extractor = Thread.currentThread();
    handlers = true;
    LockSupport.unpark(thread);
    boolean interrupted = false;
    for (int looks = 0; handlers; looks++) {
      if (looks < LOOKS) {
        Thread.onSpinWait();
      } else if (looks < LOOKS + OFFERS) {
        offerProcessor.run();
      } else {
        LockSupport.park(this);
        interrupted |= Thread.interrupted();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Lets the extractor go on until it is this one's turn again; the handler's.
   *
   * @param onInterrupt asks for its turn when its thread is interrupted
   */
  void pause(Runnable onInterrupt) {
    handlers = false;
    LockSupport.unpark(extractor);
    awaitTurn(onInterrupt);
  }

  private void awaitTurn(Runnable onInterrupt) {
    while (!handlers && !ended) {
      if (Thread.interrupted()) {
        interrupted = true;
        onInterrupt.run();
      } else {
        LockSupport.park(this);
      }
    }
    if (interrupted) {
      interrupted = false;
      Thread.currentThread().interrupt();
    }
  }

  /** Whether its thread was interrupted while it waits; the extractor's. */
  boolean isInterrupted() {
    return interrupted;
  }

  private void run() {
    awaitTurn(Fiber::nothing);
    while (!ended) {
      Runnable what = task;
      if (what != null) {
        run(what);
      }
      task = null;
      pause(Fiber::nothing);
    }
  }

  /** Whatever becomes of a task, the extractor goes on, and the next task finds nothing of it. */
  private void run(Runnable what) {
    boolean _ = Thread.interrupted(); // meant for another one
    try {
      what.run();
    } catch (Throwable e) {
      onThrown.accept(e);
    } finally {
      boolean _ = Thread.interrupted();
    }
  }

  /** Ends it; nothing is in progress. */
  void end() {
    ended = true;
    LockSupport.unpark(thread);
  }
}

package io.busbar.messages;

import java.util.concurrent.locks.LockSupport;
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

  /** Whether it is the handler's turn; otherwise the extractor's. */
  private volatile boolean handlers;

  private volatile boolean ended;
  private @Nullable Thread extractor;
  private @Nullable Runnable task;

  Fiber(int number, Runnable offerProcessor) {
    this.offerProcessor = offerProcessor;
    thread = Thread.ofVirtual().name("busbar handler " + number).unstarted(this::run);
  }

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

  /** Lets the extractor go on until it is this one's turn again; the handler's. */
  void pause() {
    handlers = false;
    LockSupport.unpark(extractor);
    awaitTurn();
  }

  private void awaitTurn() {
    boolean interrupted = false;
    while (!handlers && !ended) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    awaitTurn();
    while (!ended) {
      Runnable what = task;
      if (what != null) {
        what.run();
      }
      task = null;
      pause();
    }
  }

  /** Ends it; nothing is in progress. */
  void end() {
    ended = true;
    LockSupport.unpark(thread);
  }
}

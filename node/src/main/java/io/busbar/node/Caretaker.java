package io.busbar.node;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Drives when nobody does, so that the network goes on while the program computes. While somebody
 * does, it only looks now and then whether the machine still works: to take the role for a moment
 * is not enough.
 */
final class Caretaker {
  /** The longest time that the network may stand still before the caretaker notices. */
  static final int LOOK_NS_MAX = 10_000_000;

  private static final long PAUSE_NS_MIN = 1_000_000;

  /** That it stands still takes two looks to see. */
  private static final long PAUSE_NS_MAX = LOOK_NS_MAX / 2;

  private final Driving driving;
  private final Consumer<Throwable> onFailure;
  private final Thread thread;
  private volatile boolean ended;

  /**
   * A caretaker.
   *
   * @param onFailure told when it has to give up, because the machine threw
   */
  Caretaker(Driving driving, String name, Consumer<Throwable> onFailure) {
    this.driving = driving;
    this.onFailure = onFailure;
    this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  private void run() {
    driving.becomeCaretaker();
    try {
      care();
    } catch (RuntimeException | Error e) {
      onFailure.accept(e);
    }
  }

  private void care() {
    long seen = -1;
    long pauseNs = PAUSE_NS_MIN;
    while (!ended) {
      long rounds = driving.rounds();
      boolean still = rounds == seen;
      seen = rounds;
      if ((driving.wasCalled() || still) && driving.careFor(() -> ended)) {
        seen = driving.rounds();
        pauseNs = PAUSE_NS_MIN;
      }
      if (still && pauseNs == PAUSE_NS_MAX) {
        driving.restWhileDriverSleeps(pauseNs, () -> ended);
      } else {
        driving.rest(pauseNs);
      }
      pauseNs = Math.min(2 * pauseNs, PAUSE_NS_MAX);
    }
  }

  /** Ends it, and waits for it. */
  void end() {
    ended = true;
    driving.callCaretakerOff();
    LockSupport.unpark(thread);
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}

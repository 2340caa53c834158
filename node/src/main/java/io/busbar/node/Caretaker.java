package io.busbar.node;

import java.util.concurrent.locks.LockSupport;

/**
 * Drives when nobody does, so that the network goes on while the program computes. While somebody
 * does, it only looks now and then whether the role still changes hands.
 */
final class Caretaker {
  /** The longest time that the network may stand still before the caretaker notices. */
  static final int LOOK_NS_MAX = 10_000_000;

  private static final int LOOK_NS_MIN = 1_000_000;

  private final Driving driving;
  private final Thread thread;
  private volatile boolean ended;

  Caretaker(Driving driving, String name) {
    this.driving = driving;
    this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  private void run() {
    driving.becomeCaretaker();
    long seen = -1;
    long pauseNs = LOOK_NS_MIN;
    while (!ended) {
      long epoch = driving.epoch();
      boolean called = driving.wasCalled();
      if ((called || epoch == seen) && driving.careFor(() -> ended)) {
        seen = driving.epoch();
        pauseNs = LOOK_NS_MIN;
      } else {
        seen = epoch;
      }
      LockSupport.parkNanos(this, pauseNs);
      pauseNs = Math.min(2 * pauseNs, LOOK_NS_MAX);
    }
  }

  /** Ends it, and waits for it. */
  void end() {
    ended = true;
    driving.take();
    driving.release();
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

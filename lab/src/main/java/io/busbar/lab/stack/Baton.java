package io.busbar.lab.stack;

import java.util.concurrent.locks.LockSupport;

/**
 * One thread of a run works at a time: the scheduler's, or one of a program's. The baton belongs to
 * no thread: a program may hand it on among threads of its own, and any of them gives it back.
 */
final class Baton {
  private static final long LOOK_NS = 1_000_000_000L;

  /** A program that keeps the baton for so many looks waits for something that is not simulated. */
  private static final int LOOKS_MAX = 60;

  /** Where a thread of a program waits for its turn. */
  static final class Turn {
    private final Thread thread = Thread.currentThread();
    private volatile boolean come;
  }

  private volatile Thread scheduler = Thread.currentThread();
  private volatile boolean away;

  /** A thread begins, and goes on until the baton comes back. The scheduler's. */
  void start(Thread thread) {
    leave();
    thread.start();
    awaitReturn();
  }

  /** Somebody whose turn it is goes on until the baton comes back. The scheduler's. */
  void give(Turn turn) {
    leave();
    turn.come = true;
    LockSupport.unpark(turn.thread);
    awaitReturn();
  }

  private void leave() {
    scheduler = Thread.currentThread();
    away = true;
  }

  private void awaitReturn() {
    for (int looks = 0; away; looks++) {
      Promise.check(
          looks < LOOKS_MAX,
          "waiting is in virtual time",
          "a program does not give the baton back: it waits for something outside of its place");
      LockSupport.parkNanos(this, LOOK_NS);
    }
  }

  /** Gives the baton back, and waits for the turn. A program's. */
  void await(Turn turn) {
    giveBack();
    while (!turn.come) {
      LockSupport.park(this);
    }
    turn.come = false;
  }

  /** Gives the baton back: the program has ended. */
  void giveBack() {
    away = false;
    LockSupport.unpark(scheduler);
  }
}

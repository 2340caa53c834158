package io.busbar.node;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Who drives the machine: one thread at a time. A thread that waits for something takes the role if
 * it is free, and works for all. Others follow: they are parked, and are told when something
 * happened or the role became free. A thread that only wants to do something quickly asks for the
 * role; who has it gives it up between two rounds.
 *
 * <p>The role is a word: who has it. Somebody who wants it while the driver sleeps first says so,
 * then fences, then looks whether it sleeps, and rings; the sleeper first says that it sleeps, then
 * fences, then looks whether somebody wants it. So one of them sees the other.
 */
final class Driving {
  /** Nobody drives. */
  static final int FREE = 0;

  /** A thread of the program drives, because it waits. */
  static final int APPLICATION = 1;

  /** The caretaker drives, because nobody else does. */
  static final int CARETAKER = 2;

  /** Looks before a driver goes to sleep: about as long as waking it would take. */
  private static final int LOOKS = 2_000;

  private static final VarHandle WORD;
  private static final VarHandle WANTED;
  private static final VarHandle ROUNDS;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      WORD = lookup.findVarHandle(Driving.class, "word", int.class);
      WANTED = lookup.findVarHandle(Driving.class, "wanted", int.class);
      ROUNDS = lookup.findVarHandle(Driving.class, "rounds", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Machine machine;
  private final ConcurrentLinkedQueue<Thread> followers = new ConcurrentLinkedQueue<>();

  /** Who drives when nobody else can; null while there is none. */
  private volatile @Nullable Thread caretaker;

  private volatile boolean caretakerCalled;
  private long rounds;
  private volatile int word = FREE;

  /** Threads that want the role now. */
  private volatile int wanted;

  /** Whether the driver sleeps or is about to. */
  private volatile boolean sleeping;

  Driving(Machine machine) {
    this.machine = machine;
  }

  /** Who drives. */
  int role() {
    return word;
  }

  /** Takes the role if it is free. */
  boolean tryTake(int as) {
    return (int) WORD.getOpaque(this) == FREE && WORD.compareAndSet(this, FREE, as);
  }

  /** Gives the role back; somebody who follows is told. */
  void release() {
    word = FREE; // before the look at who follows
    tellAboutFreeRole();
  }

  /** Those who want the role take it before those who only wait; all of them are told then. */
  private void tellAboutFreeRole() {
    if (!followers.isEmpty()) {
      if (wanted != 0) {
        tellFollowers();
      } else {
        tellSuccessor();
      }
    }
  }

  /** The role is free: one of those who follow takes it, or, if none of them can, the caretaker. */
  private void tellSuccessor() {
    for (Thread follower : followers) {
      if (!follower.isVirtual()) {
        LockSupport.unpark(follower);
        return;
      }
    }
    callCaretaker();
  }

  private void callCaretaker() {
    caretakerCalled = true;
    LockSupport.unpark(caretaker);
  }

  /** Takes the role for a moment, whoever has it; to be given back soon. Not interrupted. */
  void take() {
    if (!tryTake(APPLICATION)) {
      takeFromAnother();
    }
  }

  private void takeFromAnother() {
    want();
    try {
      boolean interrupted = false;
      Thread self = Thread.currentThread();
      followers.add(self);
      try {
        while (!tryTake(APPLICATION)) {
          LockSupport.park(this);
          interrupted |= Thread.interrupted();
        }
      } finally {
        followers.remove(self);
        if (interrupted) {
          self.interrupt();
        }
      }
    } finally {
      int _ = (int) WANTED.getAndAdd(this, -1);
    }
  }

  /** Says that the role is wanted; who sleeps with it wakes. */
  private void want() {
    int _ = (int) WANTED.getAndAdd(this, 1);
    VarHandle.fullFence();
    if (sleeping) {
      machine.ring();
    }
  }

  /**
   * Waits until a condition holds, and drives meanwhile if nobody else does. The condition is
   * looked at with or without the role, by this thread.
   *
   * @param deadlineNs in {@link System#nanoTime}'s time
   * @return false when the time has passed
   */
  boolean await(BooleanSupplier condition, long deadlineNs) throws InterruptedException {
    boolean virtual = Thread.currentThread().isVirtual();
    try {
      while (!condition.getAsBoolean()) {
        if (Thread.interrupted()) {
          throw new InterruptedException("while waiting for the network");
        }
        if (deadlineNs - System.nanoTime() <= 0) {
          return false;
        }
        if (!virtual && wanted == 0 && tryTake(APPLICATION)) {
          driveAndRelease(condition, deadlineNs);
        } else {
          follow(condition, deadlineNs, virtual);
        }
      }
      return true;
    } finally {
      if (role() == FREE) {
        tellAboutFreeRole(); // we may have been told in their place
      }
    }
  }

  private void driveAndRelease(BooleanSupplier condition, long deadlineNs) {
    try {
      drive(condition, deadlineNs);
    } finally {
      release();
    }
  }

  /** Works until the condition holds, the time has passed, or somebody wants the role. */
  private void drive(BooleanSupplier condition, long deadlineNs) {
    int looks = 0;
    while (!condition.getAsBoolean() && wanted == 0 && !Thread.currentThread().isInterrupted()) {
      if (work()) {
        looks = 0;
      } else if (++looks < LOOKS) {
        Thread.onSpinWait();
      } else {
        long leftNs = deadlineNs - System.nanoTime();
        if (leftNs <= 0 || condition.getAsBoolean()) {
          return;
        }
        sleep(leftNs);
        looks = LOOKS / 2; // who has slept once sleeps sooner the next time
      }
    }
  }

  /** One round of the machine's work, with the role; those who follow hear of what happened. */
  boolean work() {
    ROUNDS.setOpaque(this, rounds + 1);
    boolean happened = machine.work();
    if (happened) {
      tellFollowers();
    }
    return happened;
  }

  /** How often the machine has worked: while that moves, somebody looks after it. */
  long rounds() {
    return (long) ROUNDS.getOpaque(this);
  }

  /** Something happened: whoever waits for it looks again. From any thread. */
  void tellFollowers() {
    if (!followers.isEmpty()) {
      for (Thread follower : followers) {
        LockSupport.unpark(follower);
      }
    }
  }

  /** Sleeps unless somebody wants the role, something has come, or something is due. */
  private void sleep(long atMostNs) {
    sleeping = true;
    VarHandle.fullFence();
    try {
      if (wanted == 0 && machine.arm()) {
        try {
          long ns = Math.min(atMostNs, machine.dueInNs());
          if (ns > 0) {
            machine.sleep(ns);
          }
        } finally {
          machine.disarm();
        }
      }
    } finally {
      sleeping = false;
    }
  }

  /**
   * Waits to be told, by the driver or by who gives the role back. The caretaker is asked for the
   * role, if this thread can drive: what comes then need not be handed over.
   */
  private void follow(BooleanSupplier condition, long deadlineNs, boolean virtual) {
    Thread self = Thread.currentThread();
    boolean wants = !virtual && role() == CARETAKER;
    if (wants) {
      want();
    }
    followers.add(self);
    try {
      // Whoever gave the role back before we were in the list told nobody: look once more.
      if (role() == FREE) {
        if (!virtual) {
          Thread.onSpinWait(); // somebody else may want it more
          return;
        }
        callCaretaker();
      }
      if (!condition.getAsBoolean()) {
        LockSupport.parkNanos(this, deadlineNs - System.nanoTime());
      }
    } finally {
      followers.remove(self);
      if (wants) {
        int _ = (int) WANTED.getAndAdd(this, -1);
      }
    }
  }

  /** The calling thread is the caretaker from now on. */
  void becomeCaretaker() {
    caretaker = Thread.currentThread();
  }

  /** Whether somebody who cannot drive has asked the caretaker to; says so once. */
  boolean wasCalled() {
    boolean called = caretakerCalled;
    caretakerCalled = false;
    return called;
  }

  /**
   * Drives as the caretaker, if nobody does, until somebody wants the role.
   *
   * @return whether the role was free
   */
  boolean careFor(BooleanSupplier ends) {
    if (!tryTake(CARETAKER)) {
      return false;
    }
    try {
      while (wanted == 0 && !ends.getAsBoolean()) {
        if (!work()) {
          sleep(Machine.NEVER);
        }
      }
    } finally {
      release();
    }
    return true;
  }
}

package io.busbar.node;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
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
 * fences, then looks whether somebody wants it. So one of them sees the other. The caretaker sleeps
 * without the role, because nobody who sends should wait for it; who drives ends its watch.
 *
 * <p>Who waits and drives looks at what it waits for, which is the program's, with the role; so it
 * may take the role once more meanwhile, to use what the role guards. It may not wait.
 *
 * <p>All words here are volatile, and used so, but for those that only the holder of the role or
 * only the caretaker touches, and for {@code rounds}, which is a hint, and {@code driver}: what the
 * threads do is some order of their steps. The tests try these orders.
 */
final class Driving {
  /** Nobody drives. */
  static final int FREE = 0;

  /** A thread of the program drives, because it waits. */
  static final int APPLICATION = 1;

  /** The caretaker drives, because nobody else does. */
  static final int CARETAKER = 2;

  /** Looks before a driver goes to sleep, if they do not take long. */
  static final int LOOKS = 2_000;

  /** No longer than about this, which is what waking it would take. */
  private static final long LOOKS_NS = 50_000;

  /** The same after a silence: the peer has to wake, and its caches are cold. */
  static final int LOOKS_RESTED = 20 * LOOKS;

  private static final long LOOKS_RESTED_NS = 10 * LOOKS_NS;

  /** What is due so much before the caretaker would wake is worth setting its alarm. */
  private static final long EARLIER_NS = 100_000;

  /**
   * The caretaker is called so long after the role was given back, if that was not for another
   * thread: to wake it takes as long as to answer a message, and who has waited for one answers.
   */
  private static final long CALL_NS = 1_000_000;

  /**
   * After so many looks the processor is offered to others: it may be the peer who waits for it,
   * because the kernel likes to wake a thread where the one runs that woke it.
   */
  private static final int LOOKS_PER_OFFER = 32;

  /**
   * The same after an offer that was taken: if it was the peer who took it, both of them stand on
   * one processor, and each look before the next offer is time for which both wait.
   */
  private static final int LOOKS_PER_OFFER_SHARED = 2;

  /** Looks of who waits for something that takes others a while. */
  static final int LOOKS_FEW = 8;

  /** Looks after a sleep, of which the machine makes the first one everywhere. */
  private static final int LOOKS_AWAKE = 4;

  /** Rounds between two looks at the clock while there is always something to do. */
  private static final int ROUNDS_PER_TIME = 64;

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
  private final int looksMax;
  private final int looksRestedMax;
  private final Followers followers = new Followers();

  /** Who drives when nobody else can; null while there is none. */
  private volatile @Nullable Thread caretaker;

  private volatile boolean caretakerCalled;

  /** The caretaker does not look any more: who gives the role back calls it. */
  private volatile boolean caretakerAway;

  private long rounds;
  private volatile int word = FREE;

  /** Threads that want the role now. */
  private volatile int wanted;

  /** Whether the driver sleeps or is about to. */
  private volatile boolean sleeping;

  /**
   * Whether the machine is armed for the caretaker, who sleeps without the role: others take it and
   * send, and need not wait for the caretaker. Written with the role.
   */
  private volatile boolean watched;

  /** Whether the caretaker sleeps for nothing; with the role. */
  private boolean calledOff;

  /** How long the caretaker sleeps at most, in {@link System#nanoTime}'s time; with the role. */
  private long watchedUntilNs;

  /**
   * Whether nobody has driven since the caretaker slept, so that peers sleep, too; with the role.
   */
  private boolean rested;

  /**
   * Whether who drives next first offers its processor, because it was asleep, and has perhaps
   * answered what woke it; with the role.
   */
  private boolean offers;

  /**
   * How many looks in vain there are from one offer of the processor to the next; with the role.
   */
  private int looksPerOffer = LOOKS_PER_OFFER;

  /**
   * Who waits and drives; null while nobody does. Written with the role. Every thread asks only
   * whether it is itself, and then it has written that last.
   */
  private @Nullable Thread driver;

  /** How often the driver has taken the role once more; with the role. */
  private int takenAgain;

  /** Whether the caretaker has the role; its own. */
  private boolean cares;

  Driving(Machine machine, int looksMax, int looksRestedMax) {
    this.machine = machine;
    this.looksMax = looksMax;
    this.looksRestedMax = looksRestedMax;
  }

  /** Who drives. */
  int role() {
    return word;
  }

  /** Whether somebody wants the role of who has it. */
  boolean isWanted() {
    return wanted != 0;
  }

  /**
   * Whether who drives next offers its processor before it looks: somebody who waits should go
   * there directly. Without the role it is a hint.
   */
  boolean isFresh() {
    return rested || offers;
  }

  /** Takes the role if it is free. */
  boolean tryTake(int as) {
    return word == FREE && WORD.compareAndSet(this, FREE, as);
  }

  /**
   * With the role: the machine is not armed for the caretaker any more, which sleeps on, and is
   * called before we sleep, or a while after the role is given back.
   */
  private void endWatch() {
    if (watched) {
      watched = false;
      machine.disarm();
      calledOff = true;
    }
  }

  /** Gives the role back, unless it was taken once more; somebody who follows is told. */
  void release() {
    if (takenAgain > 0) {
      takenAgain--;
      return;
    }
    if (watched || calledOff) {
      releaseWatch();
    }
    word = FREE; // before the look at who follows, and at who is away
    tellAboutFreeRole();
    if (caretakerAway) {
      caretakerAway = false;
      if (caretakerCalled) {
        machine.callOffWatch();
      } else {
        machine.callOffWatchIn(CALL_NS);
      }
    }
  }

  /** With the role, before it is given back: the caretaker is called if it sleeps for too long. */
  private void releaseWatch() {
    if (watched) {
      shortenWatch();
    }
    if (calledOff) {
      calledOff = false;
      wakeWithin(CALL_NS);
    }
  }

  /** Something that was sent is due: the caretaker looks soon, whether somebody drives then. */
  private void shortenWatch() {
    long dueNs = machine.dueInNs();
    if (watchedUntilNs - System.nanoTime() - dueNs > EARLIER_NS) {
      wakeWithin(Math.min(dueNs, CALL_NS));
    }
  }

  /** The caretaker sleeps no longer than this; its alarm is not set again if that is so already. */
  private void wakeWithin(long ns) {
    long nowNs = System.nanoTime();
    if (watchedUntilNs - nowNs > ns) {
      watchedUntilNs = nowNs + ns;
      machine.callOffWatchIn(ns);
    }
  }

  /** Those who want the role take it before those who only wait; all of them are told then. */
  private void tellAboutFreeRole() {
    if (!followers.isEmpty()) {
      if (wanted != 0) {
        followers.wake();
      } else {
        wakeSuccessor();
      }
    }
  }

  /** The role is free: one of those who follow takes it, or, if none of them can, the caretaker. */
  private void wakeSuccessor() {
    if (!followers.wakeDriver()) {
      callCaretaker();
    }
  }

  private void callCaretaker() {
    caretakerCalled = true;
    LockSupport.unpark(caretaker);
  }

  /**
   * Takes the role for a moment, whoever has it; to be given back soon. Not interrupted. Who looks
   * at what it waits for while it drives has it, and gives one of two back then.
   */
  void take() {
    if (!tryTake(APPLICATION) && !takeAgain()) {
      takeFromAnother(APPLICATION);
    }
  }

  /** Who does not have the role writes nothing, not even what he has read. */
  private boolean takeAgain() {
    if (!isLooking()) {
      return false;
    }
    takenAgain++;
    return true;
  }

  /** Whether the calling thread drives until something that it waits for, and looks at that. */
  boolean isLooking() {
    return Thread.currentThread().equals(driver);
  }

  private void takeFromAnother(int as) {
    want();
    try {
      boolean interrupted = false;
      Follower self = new Follower(Thread.currentThread());
      followers.add(self);
      try {
        while (!tryTake(as)) {
          LockSupport.park(this);
          interrupted |= Thread.interrupted();
        }
      } finally {
        followers.remove(self);
        if (interrupted) {
          Thread.currentThread().interrupt();
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
   * looked at with or without the role, by this thread; it may {@link #take} the role, and work,
   * but not wait here.
   *
   * @param deadlineNs in {@link System#nanoTime}'s time
   * @return false when the time has passed
   */
  boolean await(BooleanSupplier condition, long deadlineNs) throws InterruptedException {
    return await(condition, deadlineNs, Integer.MAX_VALUE);
  }

  /**
   * As {@link #await(BooleanSupplier, long)}, with fewer looks before a sleep, for who waits for
   * something that takes others a while.
   */
  boolean await(BooleanSupplier condition, long deadlineNs, int looksAtMost)
      throws InterruptedException {
    if (isLooking()) {
      throw new IllegalStateException("a condition that is waited for waits: it may only look");
    }
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
          driveAndRelease(condition, deadlineNs, looksAtMost);
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

  private void driveAndRelease(BooleanSupplier condition, long deadlineNs, int looksAtMost) {
    driver = Thread.currentThread();
    try {
      drive(condition, deadlineNs, looksAtMost);
    } finally {
      driver = null;
      release();
    }
  }

  /** Works until the condition holds, the time has passed, or somebody wants the role. */
  private void drive(BooleanSupplier condition, long deadlineNs, int looksAtMost) {
    endWatch();
    if (offers || rested) {
      offers = false;
      boolean _ = machine.offerProcessor();
    }
    int looks = 0;
    int most = Math.min(rested ? looksRestedMax : looksMax, looksAtMost);
    long mostNs = rested ? LOOKS_RESTED_NS : LOOKS_NS;
    rested = false;
    int rounds = 0;
    int offerAt = looksPerOffer;
    long sinceNs = 0;
    while (!condition.getAsBoolean() && wanted == 0 && !Thread.currentThread().isInterrupted()) {
      boolean happened = work();
      looks = happened ? 0 : looks + 1;
      offerAt = happened ? looksPerOffer : offerAt;
      if (looks >= most) {
        sleep(condition, deadlineNs - System.nanoTime());
        most = Math.min(looksMax, looksAtMost);
        mostNs = LOOKS_NS;
        offers = true;
        looks = Math.max(0, most - LOOKS_AWAKE); // who was woken for nothing sleeps soon
        offerAt = looks + LOOKS_PER_OFFER;
        rounds = 0;
      } else if (looks >= offerAt) {
        boolean first = offerAt == looksPerOffer;
        looksPerOffer = machine.offerProcessor() ? LOOKS_PER_OFFER_SHARED : LOOKS_PER_OFFER;
        offerAt = looks + looksPerOffer;
        long nowNs = System.nanoTime();
        sinceNs = first ? nowNs : sinceNs;
        looks = nowNs - sinceNs > mostNs ? most - 1 : looks;
      } else if (looks > 0) {
        Thread.onSpinWait();
      }
      if (rounds++ % ROUNDS_PER_TIME == 0 && deadlineNs - System.nanoTime() <= 0) {
        return;
      }
    }
  }

  /**
   * One round of the machine's work, with the role; those who follow hear of what happened. So does
   * a driver who works while it looks whether to sleep: something may be there that it did not see.
   */
  boolean work() {
    ROUNDS.setOpaque(this, rounds + 1);
    boolean happened = machine.work();
    if (happened) {
      tell();
    }
    return happened;
  }

  /** How often the machine has worked: while that moves, somebody looks after it. */
  long rounds() {
    return (long) ROUNDS.getOpaque(this);
  }

  /** Something happened: whoever waits for it looks again, the driver too. From any thread. */
  void tell() {
    VarHandle.fullFence(); // what happened, before the look at who follows, and who sleeps
    followers.tell();
    if (sleeping) {
      machine.ring();
    }
  }

  /**
   * Sleeps, unless somebody wants the role, something has come, something is due, or what the
   * driver waits for was done by another thread meanwhile.
   */
  private void sleep(BooleanSupplier unless, long atMostNs) {
    if (calledOff) {
      calledOff = false;
      machine.callOffWatch(); // what wakes us would wake the caretaker as well
    }
    sleeping = true;
    VarHandle.fullFence();
    try {
      if (wanted == 0 && !unless.getAsBoolean() && machine.arm()) {
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
    Follower self = new Follower(Thread.currentThread());
    boolean wants = !virtual && role() == CARETAKER;
    if (wants) {
      want();
    }
    followers.add(self);
    try {
      if (virtual && role() == FREE && wanted == 0) {
        callCaretaker();
      }
      if (!condition.getAsBoolean()) { // it may take the role meanwhile, and park
        park(self, deadlineNs, virtual, wants);
      }
    } finally {
      followers.remove(self);
      if (wants) {
        int _ = (int) WANTED.getAndAdd(this, -1);
      }
    }
  }

  /**
   * Parks until something has happened, or this thread may drive. The role is looked at here,
   * because whoever gave it back before we were in the list told nobody. That it was free for a
   * moment is no reason to look at the condition: two who need the role for that would keep each
   * other awake.
   */
  private void park(Follower self, long deadlineNs, boolean virtual, boolean wants) {
    long leftNs = deadlineNs - System.nanoTime();
    while (leftNs > 0
        && !self.wasTold()
        && (virtual || !mayDrive(wants))
        && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(this, leftNs);
      leftNs = deadlineNs - System.nanoTime();
    }
  }

  /**
   * Whether a follower may take the role, or ask the caretaker for it. Unless somebody else wants
   * it: he takes it, and tells us when he gives it back, or leaves.
   */
  private boolean mayDrive(boolean wants) {
    return switch (role()) {
      case FREE -> wants || wanted == 0;
      case CARETAKER -> !wants;
      default -> false;
    };
  }

  /** The calling thread is the caretaker from now on. */
  void becomeCaretaker() {
    caretaker = Thread.currentThread();
  }

  /** Whether somebody who cannot drive has asked the caretaker to; says so once. */
  boolean wasCalled() {
    if (!caretakerCalled) {
      return false;
    }
    caretakerCalled = false;
    return true;
  }

  /** The caretaker is to look at why it cares: it ends. */
  void callCaretakerOff() {
    take();
    endWatch();
    release();
  }

  /** The caretaker looks again after a while, or when it is called. */
  void rest(long ns) {
    LockSupport.parkNanos(this, ns);
  }

  /** If the driver sleeps, the caretaker does so too, until the role is given back. */
  void restWhileDriverSleeps(long otherwiseNs, BooleanSupplier ends) {
    if (!sleeping) {
      rest(otherwiseNs);
      return;
    }
    machine.beginRest();
    caretakerAway = true; // before the look at the role
    if (role() != FREE && !ends.getAsBoolean()) {
      machine.rest();
    }
    caretakerAway = false;
  }

  /**
   * Drives as the caretaker, if nobody does and nobody wants to, until somebody wants the role.
   *
   * @return whether the role was free
   */
  boolean careFor(BooleanSupplier ends) {
    if (wanted != 0 || !tryTake(CARETAKER)) {
      return false;
    }
    cares = true;
    try {
      int looks = 0;
      while (cares && wanted == 0 && !ends.getAsBoolean()) {
        looks = work() ? 0 : looks + 1;
        if (looks >= Math.min(looksMax, LOOKS_AWAKE)) {
          watch(ends);
          looks = 0;
        }
      }
    } finally {
      if (cares) {
        cares = false;
        release();
      }
    }
    return true;
  }

  /**
   * Sleeps without the role, unless there is something to do. When it wakes, and somebody else has
   * driven meanwhile, the caretaker leaves it to him.
   */
  private void watch(BooleanSupplier ends) {
    if (wanted != 0 || ends.getAsBoolean() || !machine.armWatch()) {
      return;
    }
    long ns = machine.dueInNs();
    if (ns <= 0) {
      machine.disarm();
      return;
    }
    long seen = rounds;
    watchedUntilNs = System.nanoTime() + Math.min(ns, Machine.NEVER / 2);
    rested = true;
    watched = true; // before the role is free
    cares = false;
    release();
    machine.watch(ns);
    if (watched) {
      if (!tryTake(CARETAKER)) {
        takeFromAnother(CARETAKER);
      }
      endWatch();
      calledOff = false; // it is awake
      cares = rounds == seen;
      if (!cares) {
        release();
      }
    }
  }
}

package io.busbar.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who drives, who follows, and that nobody is forgotten: with real threads on a toy machine. */
@Timeout(120)
class DrivingTest {
  private static final long SECOND_NS = 1_000_000_000L;
  private static final long LOOK_NS = 50_000;

  /**
   * A machine whose network is a queue. Who sends rings only if the machine says that it sleeps, as
   * a carrier does; a thread that touches it without the role is found out.
   */
  private static final class Toy implements Machine {
    final ConcurrentLinkedQueue<Integer> network = new ConcurrentLinkedQueue<>();
    final AtomicIntegerArray arrived;
    final AtomicReference<Thread> inside = new AtomicReference<>();
    final Semaphore bell = new Semaphore(0);
    final Semaphore watchBell = new Semaphore(0);

    /** Whether the last offer of the processor was taken; every second one is. */
    private boolean taken;

    volatile boolean armed;
    final AtomicBoolean trespassed = new AtomicBoolean();
    final AtomicInteger sleeps = new AtomicInteger();
    volatile long dueInNs = NEVER;
    volatile boolean busy;

    Toy(int tokens) {
      arrived = new AtomicIntegerArray(tokens);
    }

    void send(int token) {
      network.add(token);
      if (armed) {
        bell.release();
      }
    }

    private void enter() {
      if (!inside.compareAndSet(null, Thread.currentThread())) {
        trespassed.set(true);
      }
    }

    private void leave() {
      inside.set(null);
    }

    @Override
    public boolean work() {
      enter();
      Integer token = network.poll();
      if (token != null) {
        arrived.incrementAndGet(token);
      }
      leave();
      return token != null || busy;
    }

    @Override
    public boolean arm() {
      enter();
      armed = true;
      boolean quiet = network.isEmpty();
      leave();
      return quiet;
    }

    @Override
    public void disarm() {
      enter();
      armed = false;
      bell.drainPermits();
      leave();
    }

    @Override
    public long dueInNs() {
      return dueInNs;
    }

    @Override
    public void sleep(long ns) {
      enter();
      int _ = sleeps.incrementAndGet();
      try {
        boolean _ = bell.tryAcquire(Math.min(ns, 20 * SECOND_NS), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      leave();
    }

    @Override
    public boolean offerProcessor() {
      Thread.onSpinWait();
      taken = !taken;
      return taken;
    }

    @Override
    public void ring() {
      bell.release();
    }

    @Override
    public boolean armWatch() {
      int _ = watchBell.drainPermits();
      return arm();
    }

    @Override
    public void watch(long ns) {
      int _ = sleeps.incrementAndGet();
      long untilNs = System.nanoTime() + Math.min(ns, 20 * SECOND_NS);
      try {
        while (bell.availablePermits() == 0
            && !watchBell.tryAcquire(LOOK_NS, TimeUnit.NANOSECONDS)
            && System.nanoTime() < untilNs) {
          Thread.onSpinWait();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void beginRest() {
      int _ = watchBell.drainPermits();
    }

    @Override
    public void rest() {
      watchBell.acquireUninterruptibly();
    }

    @Override
    public void callOffWatch() {
      watchBell.release();
    }

    @Override
    public void callOffWatchIn(long ns) {
      watchBell.release();
    }
  }

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Toy toy = new Toy(64);
  private final Driving driving = new Driving(toy, Driving.LOOKS, Driving.LOOKS_RESTED);
  private final Caretaker caretaker = new Caretaker(driving, "caretaker", why -> {});

  @AfterEach
  void close() {
    caretaker.end();
    threads.close();
    assertThat(toy.trespassed.get()).as("touched by two threads at once").isFalse();
  }

  private static long in(long ns) {
    return System.nanoTime() + ns;
  }

  @Test
  void whoWaitsDrivesAndSleeps() throws Exception {
    Future<Boolean> waiting =
        threads.submit(() -> driving.await(() -> toy.arrived.get(1) == 1, in(20 * SECOND_NS)));
    while (toy.sleeps.get() == 0) {
      Thread.onSpinWait();
    }
    assertThat(driving.role()).isEqualTo(Driving.APPLICATION);
    toy.send(1);
    assertThat(waiting.get()).isTrue();
    assertThat(driving.role()).isEqualTo(Driving.FREE);
  }

  @Test
  void timePasses() throws Exception {
    long start = System.nanoTime();
    assertThat(driving.await(() -> false, in(SECOND_NS / 50))).isFalse();
    assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(SECOND_NS / 50);
    assertThat(driving.await(() -> true, in(-1))).isTrue();
  }

  @Test
  void timePassesWhileThereIsAlwaysSomethingToDo() throws Exception {
    toy.busy = true;
    assertThat(driving.await(() -> false, in(SECOND_NS / 50))).isFalse();
  }

  /** What another thread does without the role ends the driver's sleep, too. */
  @Test
  void driverWhoSleepsIsTold() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    Future<Boolean> waiting = threads.submit(() -> driving.await(done::get, in(20 * SECOND_NS)));
    while (toy.sleeps.get() == 0) {
      Thread.onSpinWait();
    }
    long start = System.nanoTime();
    done.set(true);
    driving.tell();
    assertThat(waiting.get()).isTrue();
    assertThat(System.nanoTime() - start).isLessThan(10 * SECOND_NS);
  }

  @Test
  void interruptEndsAWait() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    Thread[] waiter = new Thread[1];
    Future<Boolean> waiting =
        threads.submit(
            () -> {
              waiter[0] = Thread.currentThread();
              begun.countDown();
              return driving.await(() -> false, in(20 * SECOND_NS));
            });
    begun.await();
    while (toy.sleeps.get() == 0) {
      Thread.onSpinWait();
    }
    waiter[0].interrupt();
    assertThatThrownBy(waiting::get).hasCauseInstanceOf(InterruptedException.class);
    assertThat(driving.role()).isEqualTo(Driving.FREE);
  }

  /** Looks with the role, as who tries to send does, whoever has it then. */
  private boolean lookWithTheRole(int token, int wanted) {
    boolean so = toy.arrived.get(token) >= wanted;
    driving.take();
    boolean _ = driving.work(); // what it brings, this look misses
    driving.release();
    return so;
  }

  /** So does each of several, of whom one drives: nobody waits for himself, nor for ever. */
  @Test
  void whoLooksMayTakeTheRole() throws Exception {
    caretaker.start();
    int rounds = 200;
    List<Future<Boolean>> waits = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      int token = i;
      waits.add(
          threads.submit(
              () -> {
                for (int round = 1; round <= rounds; round++) {
                  int wanted = round;
                  if (!driving.await(() -> lookWithTheRole(token, wanted), in(10 * SECOND_NS))) {
                    return false;
                  }
                }
                return true;
              }));
    }
    for (int round = 1; round <= rounds; round++) {
      for (int token = 2; token >= 0; token--) {
        toy.send(token);
        for (int spin = 0; spin < 5_000 && toy.arrived.get(token) < round; spin++) {
          Thread.onSpinWait();
        }
      }
    }
    for (Future<Boolean> wait : waits) {
      assertThat(wait.get()).isTrue();
    }
    assertThat(driving.isLooking()).isFalse();
  }

  /** Nobody would drive. */
  @Test
  void whoLooksMayNotWait() throws Exception {
    assertThatThrownBy(
            () -> driving.await(() -> driving.isLooking() && waits(driving), in(10 * SECOND_NS)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("may only look");
    assertThat(driving.role()).isEqualTo(Driving.FREE);
  }

  private static boolean waits(Driving driving) {
    try {
      return driving.await(() -> true, in(SECOND_NS));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void roleIsHadForAMomentFromWhoSleepsWithIt() throws Exception {
    Future<Boolean> waiting =
        threads.submit(() -> driving.await(() -> toy.arrived.get(1) == 1, in(20 * SECOND_NS)));
    for (int i = 0; i < 200; i++) {
      long start = System.nanoTime();
      driving.take();
      toy.arm();
      toy.disarm();
      driving.release();
      assertThat(System.nanoTime() - start).isLessThan(5 * SECOND_NS);
    }
    toy.send(1);
    assertThat(waiting.get()).isTrue();
  }

  @Test
  void caretakerDrivesWhenNobodyDoes() {
    caretaker.start();
    for (int i = 0; i < 20; i++) {
      toy.send(2);
      long start = System.nanoTime();
      while (toy.arrived.get(2) <= i) {
        assertThat(System.nanoTime() - start).isLessThan(10 * SECOND_NS);
        Thread.onSpinWait();
      }
    }
  }

  /** It has no timer of its own: what is due wakes it. */
  @Test
  void caretakerSleepsUntilSomethingIsDue() throws Exception {
    caretaker.start();
    Thread.sleep(100);
    int before = toy.sleeps.get();
    Thread.sleep(200);
    assertThat(toy.sleeps.get() - before).isLessThanOrEqualTo(1);
  }

  @Test
  void virtualThreadsAreServed() throws Exception {
    caretaker.start();
    try (ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Boolean>> waits = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        int token = i;
        waits.add(
            virtual.submit(
                () -> driving.await(() -> toy.arrived.get(token) == 1, in(20 * SECOND_NS))));
      }
      for (int i = 9; i >= 0; i--) {
        toy.send(i);
      }
      for (Future<Boolean> wait : waits) {
        assertThat(wait.get()).isTrue();
      }
    }
  }

  /** Forbidden: a wait that does not end although its token has come. */
  @Test
  void nobodyIsForgotten() throws Exception {
    caretaker.start();
    int waiters = 4;
    int rounds = 3_000;
    List<Future<Integer>> waits = new ArrayList<>();
    for (int i = 0; i < waiters; i++) {
      int token = i;
      waits.add(threads.submit(() -> waitOften(token, rounds)));
    }
    SplittableRandom random = new SplittableRandom(7);
    int[] sent = new int[waiters];
    for (int left = waiters * rounds; left > 0; ) {
      int token = random.nextInt(waiters);
      if (sent[token] < rounds && sent[token] <= toy.arrived.get(token)) {
        sent[token]++;
        left--;
        toy.send(token);
        if (random.nextInt(8) == 0) {
          driving.take();
          driving.release();
        }
        for (int spin = random.nextInt(2_000); spin > 0; spin--) {
          Thread.onSpinWait();
        }
      } else {
        Thread.onSpinWait();
      }
    }
    for (Future<Integer> wait : waits) {
      assertThat(wait.get()).isEqualTo(rounds);
    }
  }

  private int waitOften(int token, int rounds) throws InterruptedException {
    for (int round = 1; round <= rounds; round++) {
      int wanted = round;
      if (!driving.await(() -> toy.arrived.get(token) >= wanted, in(10 * SECOND_NS))) {
        return round;
      }
    }
    return rounds;
  }
}

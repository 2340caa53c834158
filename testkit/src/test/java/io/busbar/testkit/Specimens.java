package io.busbar.testkit;

import io.busbar.testkit.Interleavings.Story;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Small classes to be staged, and stories of them. */
final class Specimens {
  private Specimens() {}

  /** Counts, and forgets when two count at once. */
  static final class Counter {
    volatile int count;

    void count() {
      int seen = count;
      count = seen + 1;
    }
  }

  /** Lets somebody through who waits, or spins, until it is open. */
  static final class Gate {
    volatile boolean open;
    volatile @Nullable Thread waiter;

    void pass() {
      waiter = Thread.currentThread();
      while (!open) {
        LockSupport.park(this);
      }
    }

    /** Looks too early. */
    void passAtOneLook() {
      if (!open) {
        waiter = Thread.currentThread();
        LockSupport.park(this);
      }
    }

    long passLater(long ns) {
      long start = System.nanoTime();
      LockSupport.parkNanos(this, ns);
      return System.nanoTime() - start;
    }

    void spinThrough() {
      while (!open) {
        Thread.onSpinWait();
      }
    }

    void open() {
      open = true;
      LockSupport.unpark(waiter);
    }
  }

  /** Uses a variable in a mode that the stage does not know. */
  static final class Weak {
    private static final VarHandle WORD;

    static {
      try {
        WORD = MethodHandles.lookup().findVarHandle(Weak.class, "word", int.class);
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }

    volatile int word;

    int look() {
      return (int) WORD.getOpaque(this);
    }
  }

  abstract static class Quiet implements Story {
    @Override
    public void still() {}

    @Override
    public void end() {}
  }

  static final class LostUpdate extends Quiet {
    private final Counter counter = new Counter();

    @Override
    public void begin() {
      Thread _ = Stage.actor("one", false, counter::count);
      Thread _ = Stage.actor("other", false, counter::count);
    }

    @Override
    public void end() {
      if (counter.count != 2) {
        throw new AssertionError("counted " + counter.count);
      }
    }
  }

  static final class TwoSteps extends Quiet {
    @Override
    public void begin() {
      for (int i = 0; i < 2; i++) {
        Thread _ =
            Stage.actor(
                "thread " + i,
                false,
                () -> {
                  Stage.step("one");
                  Stage.step("two");
                });
      }
    }
  }

  static final class Woken extends Quiet {
    private final Gate gate = new Gate();

    @Override
    public void begin() {
      Thread _ = Stage.actor("sleeper", true, gate::pass);
      Thread _ = Stage.actor("opener", false, gate::open);
    }
  }

  static final class TooEarly extends Quiet {
    private final Gate gate = new Gate();

    @Override
    public void begin() {
      Thread _ = Stage.actor("sleeper", false, gate::passAtOneLook);
      Thread _ = Stage.actor("opener", false, gate::open);
    }
  }

  static final class Patient extends Quiet {
    private static final long WHILE_NS = 5_000_000_000L;
    private final Gate gate = new Gate();

    @Override
    public void begin() {
      Thread _ =
          Stage.actor(
              "patient",
              false,
              () -> {
                long passedNs = gate.passLater(WHILE_NS);
                if (passedNs != WHILE_NS) {
                  throw new AssertionError("time is " + passedNs);
                }
              });
    }
  }

  static final class Spins extends Quiet {
    private final Gate gate = new Gate();

    @Override
    public void begin() {
      Thread _ = Stage.actor("spinner", false, gate::spinThrough);
      Thread _ = Stage.actor("other spinner", false, gate::spinThrough);
      Thread _ = Stage.actor("opener", false, gate::open);
    }
  }
}

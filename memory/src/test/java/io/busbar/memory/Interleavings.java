package io.busbar.memory;

import io.busbar.memory.Race.Story;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a story in every order of its accesses to shared words that takes at most so many
 * preemptions. Its threads run one at a time; before each access the next one to run is chosen, and
 * the choices are searched depth first. Most races need one or two preemptions, and the orders with
 * so few are few enough to try them all.
 */
final class Interleavings {
  private static final int NOBODY = -1;
  private static final int STEPS_MAX = 10_000;

  private record Choice(int taken, int of) {}

  private final int preemptionsMax;
  private final Supplier<Words> memory;
  private final Function<Words, Story> beginning;

  /** The choices of a run; those that a run finds here it takes, and to those it adds. */
  private final List<Choice> path = new ArrayList<>();

  private Interleavings(
      int preemptionsMax, Supplier<Words> memory, Function<Words, Story> beginning) {
    this.preemptionsMax = preemptionsMax;
    this.memory = memory;
    this.beginning = beginning;
  }

  /**
   * What came of a story.
   *
   * @param orders in how many orders it ran
   * @param failure what went wrong in the last of them, with its steps; empty when nothing did
   */
  record Outcome(int orders, String failure) {}

  /** Tries all orders, up to the first one that fails. */
  static Outcome explore(
      int preemptionsMax, Supplier<Words> memory, Function<Words, Story> beginning)
      throws InterruptedException, ExecutionException {
    Interleavings all = new Interleavings(preemptionsMax, memory, beginning);
    // A virtual thread, because the baton goes from one to the next ten times faster.
    FutureTask<Outcome> task = new FutureTask<>(all::explore);
    Thread.ofVirtual().start(task);
    return task.get();
  }

  private Outcome explore() {
    int orders = 0;
    do {
      orders++;
      try {
        new Run(null).race();
      } catch (AssertionError e) {
        return new Outcome(orders, steps());
      }
    } while (advance());
    return new Outcome(orders, "");
  }

  /** Repeats the last run, and says what it did. */
  private String steps() {
    List<String> steps = new ArrayList<>();
    try {
      new Run(steps).race();
    } catch (AssertionError e) {
      steps.add(e.getMessage());
    }
    return String.join(System.lineSeparator(), steps);
  }

  private boolean advance() {
    while (!path.isEmpty()) {
      Choice last = path.removeLast();
      if (last.taken + 1 < last.of) {
        path.add(new Choice(last.taken + 1, last.of));
        return true;
      }
    }
    return false;
  }

  /** One order; the words of the story, through which it is stopped before each access. */
  private final class Run implements Words {
    private final Words words = memory.get();
    private final Thread explorer = Thread.currentThread();
    private final List<Thread> threads = new ArrayList<>();
    private final List<Integer> alive = new ArrayList<>();
    private final @Nullable List<String> trace;
    private final Story story;
    private @Nullable Throwable failure;
    private boolean racing;
    private int choices;
    private int preemptions;
    private int steps;
    private volatile int turn = NOBODY;

    Run(@Nullable List<String> trace) {
      this.trace = trace;
      story = beginning.apply(this);
    }

    void race() {
      for (int i = 0; i < story.threads().size(); i++) {
        int self = i;
        alive.add(self);
        threads.add(Thread.ofVirtual().unstarted(() -> live(self)));
      }
      racing = true;
      pass(alive.get(choose(alive.size())));
      threads.forEach(Thread::start);
      awaitTurn(NOBODY);
      racing = false;
      if (failure != null) {
        throw new AssertionError("a thread ended with " + failure, failure);
      }
      story.check().run();
    }

    private void live(int self) {
      awaitTurn(self);
      try {
        story.threads().get(self).run();
      } catch (RuntimeException | Error e) {
        failure = e;
      }
      alive.remove(Integer.valueOf(self));
      pass(alive.isEmpty() ? NOBODY : alive.get(choose(alive.size())));
    }

    private int choose(int of) {
      if (of == 1) {
        return 0;
      }
      if (choices == path.size()) {
        path.add(new Choice(0, of));
      }
      return path.get(choices++).taken;
    }

    private void pass(int to) {
      turn = to;
      LockSupport.unpark(to == NOBODY ? explorer : threads.get(to));
    }

    private void awaitTurn(int self) {
      while (turn != self) {
        LockSupport.park(this);
      }
    }

    /** Goes on, or lets another thread go on first. */
    private void step(String what, long index) {
      if (!racing) {
        return;
      }
      int self = turn;
      if (++steps > STEPS_MAX) {
        throw new AssertionError("it loops");
      }
      if (preemptions < preemptionsMax) {
        int next = choose(alive.size());
        if (next > 0) {
          preemptions++;
          pass(
              alive.stream()
                  .filter(other -> other != self)
                  .skip(next - 1L)
                  .findFirst()
                  .orElseThrow());
          awaitTurn(self);
        }
      }
      if (trace != null) {
        trace.add("thread %d %s word %d".formatted(self, what, index));
      }
    }

    @Override
    public long get(long index) {
      step("reads", index);
      return words.get(index);
    }

    @Override
    public boolean replace(long index, long expected, long word) {
      step("replaces", index);
      return words.replace(index, expected, word);
    }

    @Override
    public void hint(long index, long word) {
      step("hints", index);
      words.hint(index, word);
    }
  }
}

package io.busbar.testkit;

import io.busbar.testkit.Run.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/**
 * Runs a story of a few threads in every order of their steps that takes at most so many
 * preemptions. The choices are searched depth first. Most races need one or two preemptions, and
 * the orders with so few are few enough to try them all.
 */
public final class Interleavings {
  /** A story of a few threads. It does the same whenever its threads take turns in one way. */
  public interface Story {
    /** Names its threads, with {@link Stage#actor}. */
    void begin();

    /** Every thread waits; throws if they should not. Time passes then. */
    void still();

    /** Every thread has ended; throws if something is not as it should be. */
    void end();
  }

  /**
   * What came of a story.
   *
   * @param orders in how many orders it ran
   * @param failure what went wrong in the last of them, with its steps; empty when nothing did
   */
  public record Outcome(int orders, String failure) {}

  private Interleavings() {}

  /** Tries all orders, up to the first one that fails. */
  public static Outcome explore(int preemptionsMax, Supplier<Story> stories)
      throws InterruptedException {
    // A virtual thread, because the turn goes from one to the next ten times faster.
    FutureTask<Outcome> task = new FutureTask<>(() -> exploreHere(preemptionsMax, stories));
    Thread.ofVirtual().start(task);
    try {
      return task.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the exploration itself failed", e.getCause());
    }
  }

  private static Outcome exploreHere(int preemptionsMax, Supplier<Story> stories) {
    Path path = new Path();
    int orders = 0;
    do {
      orders++;
      try {
        new Run(stories, path, preemptionsMax, null).play();
      } catch (AssertionError e) {
        path.rewind();
        return new Outcome(orders, steps(preemptionsMax, stories, path));
      }
    } while (path.advance());
    return new Outcome(orders, "");
  }

  /** Repeats the last run, and says what it did. */
  private static String steps(int preemptionsMax, Supplier<Story> stories, Path path) {
    List<String> steps = new ArrayList<>();
    try {
      new Run(stories, path, preemptionsMax, steps).play();
    } catch (AssertionError e) {
      steps.add(String.valueOf(e.getMessage()));
    }
    return String.join(System.lineSeparator(), steps);
  }
}

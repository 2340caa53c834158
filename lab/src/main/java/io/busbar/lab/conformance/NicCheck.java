package io.busbar.lab.conformance;

import io.busbar.lab.Violation;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;

/** A promise of the contract, and how it is checked. */
public final class NicCheck {
  /** How it is checked. */
  @FunctionalInterface
  interface Body {
    void run(Trial trial);
  }

  private static final long WATCHDOG_MS = 60_000;

  private final String name;
  private final String promise;
  private final Body body;

  NicCheck(String name, String promise, Body body) {
    this.name = name;
    this.promise = promise;
    this.body = body;
  }

  /** A few words, as a test's name. */
  public String name() {
    return name;
  }

  /** What an interface promises. */
  public String promise() {
    return promise;
  }

  /**
   * Checks the promise on a rig that is used for nothing else, and closes it.
   *
   * @throws Violation when it is not kept; its promise is this check's name
   */
  public void run(NicRig rig) {
    run(rig, WATCHDOG_MS);
  }

  /** The same; a check that takes longer has found an interface that hangs. */
  void run(NicRig rig, long limitMs) {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread thread =
        Thread.ofPlatform().daemon().name("check: " + name).start(() -> runHere(rig, thrown));
    try {
      if (!thread.join(Duration.ofMillis(limitMs))) {
        throw new Violation(
            name, "hangs in " + Arrays.toString(thread.getStackTrace()).replace(", ", "\n  "));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while checking: " + name, e);
    }
    Throwable failure = thrown.get();
    if (failure instanceof Violation violation) {
      throw violation;
    }
    if (failure != null) {
      Violation violation = new Violation(name, "threw " + failure);
      violation.initCause(failure);
      throw violation;
    }
  }

  private void runHere(NicRig rig, AtomicReference<Throwable> thrown) {
    Trial trial = new Trial(name, rig);
    try (rig) {
      try {
        body.run(trial);
      } finally {
        trial.close();
      }
    } catch (RuntimeException | Error e) {
      thrown.set(e);
    }
  }

  @Override
  public String toString() {
    return name + ": " + promise;
  }
}

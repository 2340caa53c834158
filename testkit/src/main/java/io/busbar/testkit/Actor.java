package io.busbar.testkit;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A thread of a story. Whoever has the turn reads and writes all of them. */
final class Actor {
  final int index;

  /** What the story knows it by; it never runs. */
  final Thread handle;

  /** What it runs on. */
  final Thread worker;

  /** Told that it need not park. */
  boolean permit;

  boolean interrupted;
  boolean ended;

  /** What it waits for; null when it can go on. */
  @Nullable BooleanSupplier until;

  long untilNs = Stage.NEVER;

  /** What it waits for, in words. */
  String at = "begins";

  /** Those who run before it does, if they can, because it spins: a bit for each. */
  long before;

  Actor(int index, Thread handle, Thread worker) {
    this.index = index;
    this.handle = handle;
    this.worker = worker;
  }

  boolean canGoOn(long nowNs) {
    return !ended && (until == null || until.getAsBoolean() || untilNs <= nowNs);
  }

  /** Whether it would go on if time passed, and that soon. */
  boolean waitsForTime(long nowNs, long horizonNs) {
    return !ended && until != null && untilNs - nowNs <= horizonNs && !canGoOn(nowNs);
  }
}

package io.busbar.lab.bed;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What a process has said; a thread adds lines, and others wait for one. */
final class Transcript {
  /** The latest lines are kept: a failure is read by a person. */
  static final int LINES_MAX = 10_000;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<String> kept = new ArrayDeque<>();
  private final Deque<String> unread = new ArrayDeque<>();
  private long dropped;
  private boolean ended;

  void add(String line) {
    lock.lock();
    try {
      kept.add(line);
      unread.add(line);
      if (kept.size() > LINES_MAX) {
        kept.remove();
        dropped++;
      }
      if (unread.size() > LINES_MAX) {
        unread.remove();
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Nothing will be said any more. */
  void end() {
    lock.lock();
    try {
      ended = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The first line that fits and was not read yet; null when it ends, or the time is over. */
  @Nullable String next(Predicate<String> wanted, Duration limit) throws InterruptedException {
    lock.lock();
    try {
      long leftNs = limit.toNanos();
      while (true) {
        for (String line = unread.poll(); line != null; line = unread.poll()) {
          if (wanted.test(line)) {
            return line;
          }
        }
        if (ended || leftNs <= 0) {
          return null;
        }
        leftNs = changed.awaitNanos(leftNs);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits until it ends, but no longer than that. */
  void awaitEnd(Duration limit) throws InterruptedException {
    lock.lock();
    try {
      long leftNs = limit.toNanos();
      while (!ended && leftNs > 0) {
        leftNs = changed.awaitNanos(leftNs);
      }
    } finally {
      lock.unlock();
    }
  }

  boolean hasEnded() {
    lock.lock();
    try {
      return ended;
    } finally {
      lock.unlock();
    }
  }

  /** All that is kept, a line each. */
  String text() {
    lock.lock();
    try {
      String lines = String.join("\n", kept);
      return dropped == 0 ? lines : "(%d lines are left out)\n%s".formatted(dropped, lines);
    } finally {
      lock.unlock();
    }
  }
}

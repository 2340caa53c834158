package io.busbar.testkit;

import java.lang.reflect.Method;

/**
 * Measures what the calling thread allocates on the heap.
 *
 * <p>By reflection: the modules under test do not read {@code jdk.management}, and should not for a
 * test's sake.
 */
public final class AllocationMeter {
  /** Less than one small object per hundred rounds; what remains is the meter's own. */
  private static final long BYTES_MAX = 1024;

  private static final int ROUNDS = 10_000;
  private static final int ATTEMPTS = 100;

  private final Object bean;
  private final Method read;

  public AllocationMeter() {
    try {
      bean =
          Class.forName("java.lang.management.ManagementFactory")
              .getMethod("getThreadMXBean")
              .invoke(null);
      read =
          Class.forName("com.sun.management.ThreadMXBean")
              .getMethod("getCurrentThreadAllocatedBytes");
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot measure allocation: jdk.management is missing", e);
    }
  }

  /** What this thread has allocated since it began. */
  public long bytes() {
    try {
      return (long) read.invoke(bean);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot measure allocation", e);
    }
  }

  /** Fails if a call goes on allocating after it was repeated long enough to be compiled. */
  public void assertAllocatesNothing(Runnable call) {
    assertAllocatesAtMost(BYTES_MAX, repeated(call));
  }

  /** Less than a byte a call: what is done once in thousands of calls may allocate. */
  public void assertAllocatesHardly(Runnable call) {
    assertAllocatesAtMost(ROUNDS, repeated(call));
  }

  /** The same of a loop that the caller wrote: it runs as a whole, several times. */
  public void assertLoopAllocatesNothing(Runnable loop) {
    assertAllocatesAtMost(BYTES_MAX, loop);
  }

  private static Runnable repeated(Runnable call) {
    return () -> {
      for (int i = 0; i < ROUNDS; i++) {
        call.run();
      }
    };
  }

  /** A cold loop may allocate while it is interpreted; a hot one that does never comes to rest. */
  private void assertAllocatesAtMost(long bytesMax, Runnable loop) {
    long least = Long.MAX_VALUE;
    for (int attempt = 0; attempt < ATTEMPTS && least > bytesMax; attempt++) {
      long before = bytes();
      loop.run();
      least = Math.min(least, bytes() - before);
    }
    if (least > bytesMax) {
      throw new AssertionError(
          "the least of %d loops allocated %d bytes, and at most %d are allowed"
              .formatted(ATTEMPTS, least, bytesMax));
    }
  }
}

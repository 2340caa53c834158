package io.busbar.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;

/**
 * Measures what the calling thread allocates. By reflection: the room's module does not read {@code
 * jdk.management}, and should not for a test's sake.
 */
final class AllocationMeter {
  private static final int ROUNDS = 20_000;

  /** Less than one small object per round; what remains is the meter's own. */
  private static final long BYTES_MAX = 1024;

  private static final int ATTEMPTS = 10;

  private final Object bean;
  private final Method read;

  AllocationMeter() throws ReflectiveOperationException {
    bean =
        Class.forName("java.lang.management.ManagementFactory")
            .getMethod("getThreadMXBean")
            .invoke(null);
    read =
        Class.forName("com.sun.management.ThreadMXBean")
            .getMethod("getCurrentThreadAllocatedBytes");
  }

  private long bytes() throws ReflectiveOperationException {
    return (long) read.invoke(bean);
  }

  /** A cold loop may allocate while it is interpreted; a hot one that does never comes to rest. */
  void assertAllocatesNothing(Runnable call) throws ReflectiveOperationException {
    long least = Long.MAX_VALUE;
    for (int attempt = 0; attempt < ATTEMPTS && least > BYTES_MAX; attempt++) {
      long before = bytes();
      for (int i = 0; i < ROUNDS; i++) {
        call.run();
      }
      least = Math.min(least, bytes() - before);
    }
    assertThat(least).as("bytes in %d rounds", ROUNDS).isLessThanOrEqualTo(BYTES_MAX);
  }
}

package io.busbar.fabric.udp;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;

/** Measures what the calling thread allocates; by reflection, as in the rooms below. */
final class AllocationMeter {
  private static final int ROUNDS = 5_000;

  /** Less than a small object per hundred rounds. */
  private static final long BYTES_MAX = 512;

  private static final int ATTEMPTS = 200;

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
    assertAllocatesAtMost(BYTES_MAX, call);
  }

  /** Less than a byte a round: what is done once in thousands of rounds may allocate. */
  void assertAllocatesHardly(Runnable call) throws ReflectiveOperationException {
    assertAllocatesAtMost(ROUNDS, call);
  }

  private void assertAllocatesAtMost(long bytesMax, Runnable call)
      throws ReflectiveOperationException {
    long least = Long.MAX_VALUE;
    for (int attempt = 0; attempt < ATTEMPTS && least > bytesMax; attempt++) {
      long before = bytes();
      for (int i = 0; i < ROUNDS; i++) {
        call.run();
      }
      least = Math.min(least, bytes() - before);
    }
    assertThat(least).as("bytes in %d rounds", ROUNDS).isLessThanOrEqualTo(bytesMax);
  }
}

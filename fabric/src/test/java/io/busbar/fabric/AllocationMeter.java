package io.busbar.fabric;

import java.lang.reflect.Method;

/**
 * The bytes that the calling thread has allocated. By reflection: the room's module does not read
 * {@code jdk.management}, and should not for a test's sake.
 */
final class AllocationMeter {
  private final Object bean;
  private final Method read;

  AllocationMeter() {
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

  long bytes() {
    try {
      return (long) read.invoke(bean);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot measure allocation", e);
    }
  }
}

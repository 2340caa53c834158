package io.busbar.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/**
 * Questions that the data path asks once in thousands of rounds: a result, negative for a failure,
 * which another call explains. The compiler sees such a call too seldom to do more than translate
 * it, and so what the linker makes to keep an errno would go to the heap each time.
 */
final class RareCalls {
  private static final MethodHandle GETSOCKOPT =
      Native.plainCall(
          "getsockopt",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));
  private static final MethodHandle IOCTL =
      Native.plainCall(
          "ioctl",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG),
          Linker.Option.firstVariadicArg(2));

  private RareCalls() {}

  static int getsockopt(int fd, int level, int option, long value, long length) {
    try {
      return (int) GETSOCKOPT.invokeExact(fd, level, option, value, length);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static int ioctl(int fd, long request, long argument) {
    try {
      return (int) IOCTL.invokeExact(fd, request, argument);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }
}

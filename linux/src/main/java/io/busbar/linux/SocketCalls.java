package io.busbar.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Calls that set sockets up: a result, or a negated {@link Errno}. */
final class SocketCalls {
  private static final MethodHandle SOCKET =
      Native.call("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
  private static final MethodHandle BIND =
      Native.call("bind", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle CONNECT =
      Native.call("connect", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle GETSOCKNAME =
      Native.call("getsockname", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
  private static final MethodHandle SETSOCKOPT =
      Native.call(
          "setsockopt",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle GETSOCKOPT =
      Native.call(
          "getsockopt",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
  private static final MethodHandle SHUTDOWN =
      Native.call("shutdown", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
  private static final MethodHandle IOCTL =
      Native.call(
          "ioctl",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS),
          Linker.Option.firstVariadicArg(2));

  private static final MethodHandle GETIFADDRS =
      Native.call("getifaddrs", FunctionDescriptor.of(JAVA_INT, ADDRESS));
  private static final MethodHandle FREEIFADDRS =
      Native.call("freeifaddrs", FunctionDescriptor.ofVoid(JAVA_LONG));

  private SocketCalls() {}

  static int socket(int family, int type, int protocol) {
    MemorySegment state = Native.state();
    try {
      return Native.result((int) SOCKET.invokeExact(state, family, type, protocol), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static int bind(int fd, MemorySegment address, int length) {
    MemorySegment state = Native.state();
    try {
      return Native.result((int) BIND.invokeExact(state, fd, address, length), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static int connect(int fd, MemorySegment address, int length) {
    MemorySegment state = Native.state();
    try {
      return Native.result((int) CONNECT.invokeExact(state, fd, address, length), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static int getsockname(int fd, MemorySegment address, MemorySegment length) {
    MemorySegment state = Native.state();
    try {
      return Native.result((int) GETSOCKNAME.invokeExact(state, fd, address, length), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static int setsockopt(int fd, int level, int option, MemorySegment value, int length) {
    MemorySegment state = Native.state();
    try {
      return Native.result(
          (int) SETSOCKOPT.invokeExact(state, fd, level, option, value, length), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static int getsockopt(int fd, int level, int option, MemorySegment value, MemorySegment length) {
    MemorySegment state = Native.state();
    try {
      return Native.result(
          (int) GETSOCKOPT.invokeExact(state, fd, level, option, value, length), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static int shutdown(int fd, int how) {
    MemorySegment state = Native.state();
    try {
      return Native.result((int) SHUTDOWN.invokeExact(state, fd, how), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static int ioctl(int fd, long request, MemorySegment argument) {
    MemorySegment state = Native.state();
    try {
      return Native.result((int) IOCTL.invokeExact(state, fd, request, argument), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static int getifaddrs(MemorySegment list) {
    MemorySegment state = Native.state();
    try {
      return Native.result((int) GETIFADDRS.invokeExact(state, list), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static void freeifaddrs(long list) {
    try {
      FREEIFADDRS.invokeExact(Native.state(), list);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }
}

package io.busbar.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Calls on processes and threads: a result, or a negated {@link Errno}. */
final class ProcessCalls {
  private static final MethodHandle GETPID = Native.call("getpid", FunctionDescriptor.of(JAVA_INT));
  private static final MethodHandle GETTID = Native.call("gettid", FunctionDescriptor.of(JAVA_INT));
  private static final MethodHandle SYSCONF =
      Native.call("sysconf", FunctionDescriptor.of(JAVA_LONG, JAVA_INT));
  private static final MethodHandle GETRLIMIT =
      Native.call("getrlimit", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));
  private static final MethodHandle SETRLIMIT =
      Native.call("setrlimit", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));
  private static final MethodHandle SCHED_GETAFFINITY =
      Native.call(
          "sched_getaffinity", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS));
  private static final MethodHandle SCHED_SETAFFINITY =
      Native.call(
          "sched_setaffinity", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS));
  private static final MethodHandle SETNS =
      Native.call("setns", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
  private static final MethodHandle SYSCALL_POINTERS =
      Native.call(
          "syscall",
          FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS),
          Linker.Option.firstVariadicArg(1));

  private static final MethodHandle SYSCALL_BPF =
      Native.call(
          "syscall",
          FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG),
          Linker.Option.firstVariadicArg(1));

  private ProcessCalls() {}

  /** A command for programs in the kernel. */
  static int bpf(int command, MemorySegment attribute) {
    MemorySegment state = Native.state();
    long number = Native.ARCHITECTURE.sysBpf;
    try {
      return (int)
          Native.result(
              (long)
                  SYSCALL_BPF.invokeExact(
                      state, number, (long) command, attribute, attribute.byteSize()),
              state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static int getpid() {
    MemorySegment state = Native.state();
    try {
      return Native.result((int) GETPID.invokeExact(state), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static int gettid() {
    MemorySegment state = Native.state();
    try {
      return Native.result((int) GETTID.invokeExact(state), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static long sysconf(int name) {
    MemorySegment state = Native.state();
    try {
      return Native.result((long) SYSCONF.invokeExact(state, name), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static int getrlimit(int resource, MemorySegment limit) {
    MemorySegment state = Native.state();
    try {
      return Native.result((int) GETRLIMIT.invokeExact(state, resource, limit), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static int setrlimit(int resource, MemorySegment limit) {
    MemorySegment state = Native.state();
    try {
      return Native.result((int) SETRLIMIT.invokeExact(state, resource, limit), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static int schedGetaffinity(int thread, long bytes, MemorySegment set) {
    MemorySegment state = Native.state();
    try {
      return Native.result((int) SCHED_GETAFFINITY.invokeExact(state, thread, bytes, set), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static int schedSetaffinity(int thread, long bytes, MemorySegment set) {
    MemorySegment state = Native.state();
    try {
      return Native.result((int) SCHED_SETAFFINITY.invokeExact(state, thread, bytes, set), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  /** Of the calling thread alone. */
  static int setns(int fd, int kind) {
    MemorySegment state = Native.state();
    try {
      return Native.result((int) SETNS.invokeExact(state, fd, kind), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  /** A call by its number, with structures for arguments. */
  static long syscallPointers(long number, MemorySegment first, MemorySegment second) {
    MemorySegment state = Native.state();
    try {
      return Native.result(
          (long) SYSCALL_POINTERS.invokeExact(state, number, first, second), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }
}

package io.busbar.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Calls on files and doorbells: a result, or a negated {@link Errno}. */
final class FileCalls {
  private static final MethodHandle OPEN =
      Native.call(
          "open",
          FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT),
          Linker.Option.firstVariadicArg(2));
  private static final MethodHandle CLOSE =
      Native.call("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  private static final MethodHandle UNLINK =
      Native.call("unlink", FunctionDescriptor.of(JAVA_INT, ADDRESS));
  private static final MethodHandle FTRUNCATE =
      Native.call("ftruncate", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG));
  private static final MethodHandle FALLOCATE =
      Native.call(
          "fallocate", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));
  private static final MethodHandle STATX =
      Native.call(
          "statx", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS));
  private static final MethodHandle FCNTL_POINTER =
      Native.call(
          "fcntl",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS),
          Linker.Option.firstVariadicArg(2));
  private static final MethodHandle FCNTL_INT =
      Native.call(
          "fcntl",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT),
          Linker.Option.firstVariadicArg(2));
  private static final MethodHandle FSTATFS =
      Native.call("fstatfs", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));
  private static final MethodHandle STATFS =
      Native.call("statfs", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
  private static final MethodHandle MEMFD_CREATE =
      Native.call("memfd_create", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle MKFIFO =
      Native.call("mkfifo", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle EVENTFD =
      Native.call("eventfd", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
  private static final MethodHandle TIMERFD_CREATE =
      Native.call("timerfd_create", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
  private static final MethodHandle PIPE2 =
      Native.call("pipe2", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));

  private static final MethodHandle OPENAT =
      Native.call(
          "openat",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT),
          Linker.Option.firstVariadicArg(3));

  private FileCalls() {}

  static int open(MemorySegment path, int flags, int mode) {
    MemorySegment state = Native.state();
    try {
      return Native.result((int) OPEN.invokeExact(state, path, flags, mode), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static int openat(int folder, MemorySegment path, int flags, int mode) {
    MemorySegment state = Native.state();
    try {
      return Native.result((int) OPENAT.invokeExact(state, folder, path, flags, mode), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static int close(int fd) {
    MemorySegment state = Native.state();
    try {
      return Native.result((int) CLOSE.invokeExact(state, fd), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static int unlink(MemorySegment path) {
    MemorySegment state = Native.state();
    try {
      return Native.result((int) UNLINK.invokeExact(state, path), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static int ftruncate(int fd, long length) {
    MemorySegment state = Native.state();
    try {
      return Native.result((int) FTRUNCATE.invokeExact(state, fd, length), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static int fallocate(int fd, int mode, long offset, long length) {
    MemorySegment state = Native.state();
    try {
      return Native.result((int) FALLOCATE.invokeExact(state, fd, mode, offset, length), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static int statx(int fd, MemorySegment path, int flags, int mask, MemorySegment status) {
    MemorySegment state = Native.state();
    try {
      return Native.result((int) STATX.invokeExact(state, fd, path, flags, mask, status), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  /** A command whose argument is a structure. */
  static int fcntlPointer(int fd, int command, MemorySegment argument) {
    MemorySegment state = Native.state();
    try {
      return Native.result((int) FCNTL_POINTER.invokeExact(state, fd, command, argument), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  /** A command whose argument is a number. */
  static int fcntlInt(int fd, int command, int argument) {
    MemorySegment state = Native.state();
    try {
      return Native.result((int) FCNTL_INT.invokeExact(state, fd, command, argument), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static int fstatfs(int fd, MemorySegment space) {
    MemorySegment state = Native.state();
    try {
      return Native.result((int) FSTATFS.invokeExact(state, fd, space), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static int statfs(MemorySegment path, MemorySegment space) {
    MemorySegment state = Native.state();
    try {
      return Native.result((int) STATFS.invokeExact(state, path, space), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static int memfdCreate(MemorySegment name, int flags) {
    MemorySegment state = Native.state();
    try {
      return Native.result((int) MEMFD_CREATE.invokeExact(state, name, flags), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static int mkfifo(MemorySegment path, int mode) {
    MemorySegment state = Native.state();
    try {
      return Native.result((int) MKFIFO.invokeExact(state, path, mode), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static int eventfd(int count, int flags) {
    MemorySegment state = Native.state();
    try {
      return Native.result((int) EVENTFD.invokeExact(state, count, flags), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static int timerfdCreate(int clock, int flags) {
    MemorySegment state = Native.state();
    try {
      return Native.result((int) TIMERFD_CREATE.invokeExact(state, clock, flags), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static int pipe2(MemorySegment ends, int flags) {
    MemorySegment state = Native.state();
    try {
      return Native.result((int) PIPE2.invokeExact(state, ends, flags), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }
}

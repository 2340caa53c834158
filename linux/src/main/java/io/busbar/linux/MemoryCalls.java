package io.busbar.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Calls on memory: a result, or a negated {@link Errno}. */
final class MemoryCalls {
  private static final MethodHandle MMAP =
      Native.call(
          "mmap",
          FunctionDescriptor.of(
              JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
  private static final MethodHandle MUNMAP =
      Native.call("munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
  private static final MethodHandle MLOCK =
      Native.call("mlock", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
  private static final MethodHandle MUNLOCK =
      Native.call("munlock", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
  private static final MethodHandle MADVISE =
      Native.call("madvise", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));

  private MemoryCalls() {}

  /** The address; no address of a process is negative. */
  static long mmap(long address, long length, int protection, int flags, int fd, long offset) {
    MemorySegment state = Native.state();
    try {
      return Native.result(
          (long) MMAP.invokeExact(state, address, length, protection, flags, fd, offset), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static int munmap(long address, long length) {
    MemorySegment state = Native.state();
    try {
      return Native.result((int) MUNMAP.invokeExact(state, address, length), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static int mlock(long address, long length) {
    MemorySegment state = Native.state();
    try {
      return Native.result((int) MLOCK.invokeExact(state, address, length), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static int munlock(long address, long length) {
    MemorySegment state = Native.state();
    try {
      return Native.result((int) MUNLOCK.invokeExact(state, address, length), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static int madvise(long address, long length, int advice) {
    MemorySegment state = Native.state();
    try {
      return Native.result((int) MADVISE.invokeExact(state, address, length, advice), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }
}

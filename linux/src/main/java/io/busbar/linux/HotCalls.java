package io.busbar.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The calls of the data path: a result, or a negated {@link Errno}. Memory is passed by its
 * address, so that no slice is made and no reference counted; the caller keeps it alive.
 *
 * <p>The handles are not final, on purpose. The linker makes a slice of the errno's memory in every
 * call, which stays off the heap only where the whole call is compiled at once. A constant handle
 * is inlined into its caller, and by half into a large one, at 40 bytes a call; a handle that is
 * not constant is compiled by itself, always whole, for a few nanoseconds. AllocationTest guards
 * it.
 */
final class HotCalls {
  private static MethodHandle send =
      Native.call(
          "send", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
  private static MethodHandle recv =
      Native.call(
          "recv", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
  private static MethodHandle sendto =
      Native.call(
          "sendto",
          FunctionDescriptor.of(
              JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT));
  private static MethodHandle recvfrom =
      Native.call(
          "recvfrom",
          FunctionDescriptor.of(
              JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG));
  private static MethodHandle sendmmsg =
      Native.call(
          "sendmmsg", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT));
  private static MethodHandle recvmmsg =
      Native.call(
          "recvmmsg",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG));
  private static MethodHandle recvmsg =
      Native.call("recvmsg", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT));
  private static MethodHandle read =
      Native.call("read", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG));
  private static MethodHandle write =
      Native.call("write", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG));
  private static MethodHandle pread =
      Native.call(
          "pread", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
  private static MethodHandle pwrite =
      Native.call(
          "pwrite", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
  private static MethodHandle ppoll =
      Native.call(
          "ppoll", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
  private static MethodHandle timerfdSettime =
      Native.call(
          "timerfd_settime",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));
  private static MethodHandle schedYield =
      Native.call("sched_yield", FunctionDescriptor.of(JAVA_INT));
  private static MethodHandle processVmReadv =
      Native.call(
          "process_vm_readv",
          FunctionDescriptor.of(
              JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
  private static MethodHandle mmap =
      Native.call(
          "mmap",
          FunctionDescriptor.of(
              JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
  private static MethodHandle madvise =
      Native.call("madvise", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
  private static MethodHandle membarrier =
      Native.call(
          "syscall",
          FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
          Linker.Option.firstVariadicArg(1));

  private HotCalls() {}

  static int send(int fd, long address, long length, int flags) {
    MemorySegment state = Native.state();
    try {
      return (int) Native.result((long) send.invokeExact(state, fd, address, length, flags), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static int recv(int fd, long address, long length, int flags) {
    MemorySegment state = Native.state();
    try {
      return (int) Native.result((long) recv.invokeExact(state, fd, address, length, flags), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static int sendto(int fd, long address, long length, int flags, long to, int toLength) {
    MemorySegment state = Native.state();
    try {
      return (int)
          Native.result(
              (long) sendto.invokeExact(state, fd, address, length, flags, to, toLength), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static int recvfrom(int fd, long address, long length, int flags, long from, long fromLength) {
    MemorySegment state = Native.state();
    try {
      return (int)
          Native.result(
              (long) recvfrom.invokeExact(state, fd, address, length, flags, from, fromLength),
              state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static int sendmmsg(int fd, long messages, int count, int flags) {
    MemorySegment state = Native.state();
    try {
      return Native.result((int) sendmmsg.invokeExact(state, fd, messages, count, flags), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  /** Without the timeout, which does not mean what one expects. */
  static int recvmmsg(int fd, long messages, int count, int flags) {
    MemorySegment state = Native.state();
    try {
      return Native.result(
          (int) recvmmsg.invokeExact(state, fd, messages, count, flags, 0L), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static int recvmsg(int fd, long message, int flags) {
    MemorySegment state = Native.state();
    try {
      return (int) Native.result((long) recvmsg.invokeExact(state, fd, message, flags), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static int read(int fd, long address, long length) {
    MemorySegment state = Native.state();
    try {
      return (int) Native.result((long) read.invokeExact(state, fd, address, length), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static int write(int fd, long address, long length) {
    MemorySegment state = Native.state();
    try {
      return (int) Native.result((long) write.invokeExact(state, fd, address, length), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static long pread(int fd, long address, long length, long offset) {
    MemorySegment state = Native.state();
    try {
      return Native.result((long) pread.invokeExact(state, fd, address, length, offset), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static long pwrite(int fd, long address, long length, long offset) {
    MemorySegment state = Native.state();
    try {
      return Native.result((long) pwrite.invokeExact(state, fd, address, length, offset), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  /** Blocks. No signal is masked; a limit of 0, the null pointer, is none. */
  static int ppoll(long set, long count, long limit) {
    MemorySegment state = Native.state();
    try {
      return Native.result((int) ppoll.invokeExact(state, set, count, limit, 0L), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  /** From now on; what was set before is not asked for. */
  static int timerfdSettime(int fd, long setting) {
    MemorySegment state = Native.state();
    try {
      return Native.result((int) timerfdSettime.invokeExact(state, fd, 0, setting, 0L), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static int schedYield() {
    MemorySegment state = Native.state();
    try {
      return Native.result((int) schedYield.invokeExact(state), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  /** With one part on either side. */
  static long processVmReadv(int pid, long local, long remote) {
    MemorySegment state = Native.state();
    try {
      return Native.result(
          (long) processVmReadv.invokeExact(state, pid, local, 1L, remote, 1L, 0L), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  /** The address; no address of a process is negative. */
  static long mmap(long address, long length, int protection, int flags, int fd, long offset) {
    MemorySegment state = Native.state();
    try {
      return Native.result(
          (long) mmap.invokeExact(state, address, length, protection, flags, fd, offset), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static int madvise(long address, long length, int advice) {
    MemorySegment state = Native.state();
    try {
      return Native.result((int) madvise.invokeExact(state, address, length, advice), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  /** By its number, because the C library has no function for it. */
  static int membarrier(int command) {
    MemorySegment state = Native.state();
    try {
      return (int)
          Native.result(
              (long)
                  membarrier.invokeExact(
                      state, Native.ARCHITECTURE.sysMembarrier, (long) command, 0L),
              state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }
}

package io.busbar.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.Objects;

/**
 * How the C library is called. Every handle takes the calling thread's {@link #state} as its first
 * argument, into which the linker saves errno before the JVM can overwrite it.
 *
 * <p>No handle is {@code critical}: an empty {@code recv} costs 200 to 300 ns either way, and a
 * garbage collection would wait for a critical call, in which the kernel may do work of its own.
 */
final class Native {
  /** The processor; looked at first, so that nothing is linked on a machine without support. */
  static final Architecture ARCHITECTURE = Architecture.CURRENT;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final Linker.Option CAPTURE = Linker.Option.captureCallState("errno");
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final long ERRNO_AT = STATE.byteOffset(PathElement.groupElement("errno"));

  private static final ThreadLocal<MemorySegment> STATES =
      ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(STATE));

  private Native() {}

  /** A handle for a function of the C library, whose first parameter is the {@link #state}. */
  static MethodHandle call(String name, FunctionDescriptor type, Linker.Option... options) {
    Linker.Option[] all = Arrays.copyOf(options, options.length + 1);
    all[options.length] = CAPTURE;
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), type, all);
  }

  /** A handle for a function of which only the result is wanted. */
  static MethodHandle plainCall(String name, FunctionDescriptor type, Linker.Option... options) {
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), type, options);
  }

  /** Where the calling thread's errno is saved; allocated once per thread. */
  static MemorySegment state() {
    return STATES.get();
  }

  /** A call's result, or the negated errno when it is negative. */
  static int result(int result, MemorySegment state) {
    return result >= 0 ? result : -state.get(JAVA_INT, ERRNO_AT);
  }

  /** A call's result, or the negated errno when it is negative. */
  static long result(long result, MemorySegment state) {
    return result >= 0 ? result : -state.get(JAVA_INT, ERRNO_AT);
  }

  /** What a handle threw: a caller's mistake goes on as it is, nothing else can happen. */
  static RuntimeException unexpected(Throwable thrown) {
    return switch (thrown) {
      case RuntimeException e -> e;
      case Error e -> throw e;
      default -> new IllegalStateException("a call of the C library threw", thrown);
    };
  }

  /**
   * The address of a part of a segment, for the kernel. The part lies inside the segment, which is
   * native and alive now; it has to stay alive until the kernel is done with it.
   */
  static long address(MemorySegment segment, long offset, long length) {
    Objects.checkFromIndexSize(offset, length, segment.byteSize());
    if (!segment.isNative()) {
      throw new IllegalArgumentException("the kernel needs native memory, and this is on the heap");
    }
    if (!segment.scope().isAlive()) {
      throw new IllegalStateException("this memory was given back already");
    }
    return segment.address() + offset;
  }
}

package mpi;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Arrays of primitives, and what they are as bytes. */
final class BusbarArrays {
  private BusbarArrays() {}

  /** An array as bytes; null if it cannot be seen so. */
  static MemorySegment segment(Object array) {
    return switch (array) {
      case byte[] a -> MemorySegment.ofArray(a);
      case char[] a -> MemorySegment.ofArray(a);
      case short[] a -> MemorySegment.ofArray(a);
      case int[] a -> MemorySegment.ofArray(a);
      case long[] a -> MemorySegment.ofArray(a);
      case float[] a -> MemorySegment.ofArray(a);
      case double[] a -> MemorySegment.ofArray(a);
      default -> null;
    };
  }

  /** A copy of a part of an array, as user functions are given it. */
  static ByteBuffer copy(Object array, long at, long bytes) {
    ByteBuffer made = ByteBuffer.allocateDirect((int) bytes).order(ByteOrder.nativeOrder());
    MemorySegment.copy(segment(array), at, MemorySegment.ofBuffer(made), 0, bytes);
    return made;
  }
}

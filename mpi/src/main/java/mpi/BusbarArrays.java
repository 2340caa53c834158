package mpi;

import java.lang.foreign.MemorySegment;

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
}

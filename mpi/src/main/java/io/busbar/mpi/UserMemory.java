package io.busbar.mpi;

import io.busbar.messages.InMessage;
import io.busbar.mpi.MpiError.Kind;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a program as bytes in native order: an array of primitives, a buffer, of which the
 * position and the limit do not matter, a segment, or a buffer of MPJ Express. Arrays are copied
 * without an object.
 */
final class UserMemory {
  private UserMemory() {}

  /** How many bytes an element has. */
  static int elementBytes(Object memory) {
    if (memory instanceof byte[] || memory instanceof boolean[]) {
      return 1;
    }
    if (memory instanceof int[] || memory instanceof float[]) {
      return 4;
    }
    if (memory instanceof double[] || memory instanceof long[]) {
      return 8;
    }
    if (memory instanceof char[] || memory instanceof short[]) {
      return 2;
    }
    return switch (memory) {
      case IntBuffer _ -> 4;
      case FloatBuffer _ -> 4;
      case DoubleBuffer _ -> 8;
      case LongBuffer _ -> 8;
      case CharBuffer _ -> 2;
      case ShortBuffer _ -> 2;
      default -> 1;
    };
  }

  /** How many bytes it has. */
  static long bytes(Object memory) {
    return switch (memory) {
      case byte[] array -> array.length;
      case boolean[] array -> array.length;
      case char[] array -> 2L * array.length;
      case short[] array -> 2L * array.length;
      case int[] array -> 4L * array.length;
      case float[] array -> 4L * array.length;
      case long[] array -> 8L * array.length;
      case double[] array -> 8L * array.length;
      case MemorySegment segment -> segment.byteSize();
      case Buffer buffer -> (long) buffer.capacity() * elementBytes(buffer);
      case mpjbuf.Buffer packed -> packed.getCapacity();
      default -> throw refused(memory);
    };
  }

  private static MpiError refused(Object memory) {
    return new MpiError(
        Kind.BUFFER,
        "%s cannot be sent as numbers; allowed: arrays of primitives, direct buffers, segments;"
                .formatted(memory.getClass().getTypeName())
            + " arrays of objects as MPI.OBJECT");
  }

  /** All of it as a segment; null for an array of booleans, which has none. */
  static @Nullable MemorySegment segment(Object memory) {
    return switch (memory) {
      case byte[] array -> MemorySegment.ofArray(array);
      case boolean[] _ -> null;
      case char[] array -> MemorySegment.ofArray(array);
      case short[] array -> MemorySegment.ofArray(array);
      case int[] array -> MemorySegment.ofArray(array);
      case float[] array -> MemorySegment.ofArray(array);
      case long[] array -> MemorySegment.ofArray(array);
      case double[] array -> MemorySegment.ofArray(array);
      case MemorySegment segment -> segment;
      case Buffer buffer -> ofBuffer(buffer);
      case mpjbuf.Buffer packed -> MemorySegment.ofBuffer(packed.bytes());
      default -> throw refused(memory);
    };
  }

  /** Where a place before the beginning of a slice is; the same memory for all other places. */
  private static @Nullable MemorySegment segment(Object memory, long at) {
    Slices.Whole whole = at < 0 ? Slices.whole(memory) : null;
    return whole == null ? segment(memory) : whole.memory();
  }

  /** The same place there. */
  private static long place(Object memory, long at) {
    Slices.Whole whole = at < 0 ? Slices.whole(memory) : null;
    return whole == null ? at : at + whole.at();
  }

  /** How many bytes lie before it that belong to what it was cut from. */
  static long bytesBefore(Object memory) {
    Slices.Whole whole = Slices.whole(memory);
    return whole == null ? 0 : whole.at();
  }

  private static MemorySegment ofBuffer(Buffer buffer) {
    Buffer all =
        switch (buffer) {
          case ByteBuffer one -> one.duplicate();
          case CharBuffer one -> one.duplicate();
          case ShortBuffer one -> one.duplicate();
          case IntBuffer one -> one.duplicate();
          case LongBuffer one -> one.duplicate();
          case FloatBuffer one -> one.duplicate();
          case DoubleBuffer one -> one.duplicate();
          default -> throw refused(buffer);
        };
    return MemorySegment.ofBuffer(all.clear());
  }

  private static boolean isWhole(long at, long bytes, int element) {
    return ((at | bytes) & (element - 1)) == 0;
  }

  /** Copies from the program's memory. */
  static void read(Object from, long at, MemorySegment to, long toAt, long bytes) {
    if (from instanceof double[] array && isWhole(at, bytes, 8)) {
      MemorySegment.copy(
          array, (int) (at >> 3), to, ValueLayout.JAVA_DOUBLE_UNALIGNED, toAt, (int) (bytes >> 3));
    } else if (from instanceof int[] array && isWhole(at, bytes, 4)) {
      MemorySegment.copy(
          array, (int) (at >> 2), to, ValueLayout.JAVA_INT_UNALIGNED, toAt, (int) (bytes >> 2));
    } else if (from instanceof byte[] array) {
      MemorySegment.copy(array, (int) at, to, ValueLayout.JAVA_BYTE, toAt, (int) bytes);
    } else if (from instanceof long[] array && isWhole(at, bytes, 8)) {
      MemorySegment.copy(
          array, (int) (at >> 3), to, ValueLayout.JAVA_LONG_UNALIGNED, toAt, (int) (bytes >> 3));
    } else if (from instanceof float[] array && isWhole(at, bytes, 4)) {
      MemorySegment.copy(
          array, (int) (at >> 2), to, ValueLayout.JAVA_FLOAT_UNALIGNED, toAt, (int) (bytes >> 2));
    } else if (from instanceof char[] array && isWhole(at, bytes, 2)) {
      MemorySegment.copy(
          array, (int) (at >> 1), to, ValueLayout.JAVA_CHAR_UNALIGNED, toAt, (int) (bytes >> 1));
    } else if (from instanceof short[] array && isWhole(at, bytes, 2)) {
      MemorySegment.copy(
          array, (int) (at >> 1), to, ValueLayout.JAVA_SHORT_UNALIGNED, toAt, (int) (bytes >> 1));
    } else {
      readOther(from, at, to, toAt, bytes);
    }
  }

  private static void readOther(Object from, long at, MemorySegment to, long toAt, long bytes) {
    if (from instanceof boolean[] array) {
      for (int i = 0; i < bytes; i++) {
        to.set(ValueLayout.JAVA_BYTE, toAt + i, (byte) (array[(int) at + i] ? 1 : 0));
      }
      return;
    }
    MemorySegment segment = segment(from, at);
    if (segment != null) {
      MemorySegment.copy(segment, place(from, at), to, toAt, bytes);
    }
  }

  /** Copies to the program's memory. */
  static void write(MemorySegment from, long fromAt, Object to, long at, long bytes) {
    if (to instanceof boolean[] array) {
      for (int i = 0; i < bytes; i++) {
        array[(int) at + i] = from.get(ValueLayout.JAVA_BYTE, fromAt + i) != 0;
      }
      return;
    }
    MemorySegment segment = segment(to, at);
    if (segment != null) {
      MemorySegment.copy(from, fromAt, segment, place(to, at), bytes);
    }
  }

  /** Brings the next bytes of a message to the program's memory. */
  static void receive(InMessage in, Object to, long at, int bytes) {
    if (to instanceof double[] array && isWhole(at, bytes, 8)) {
      in.receive(array, ValueLayout.JAVA_DOUBLE_UNALIGNED, (int) (at >> 3), bytes >> 3);
    } else if (to instanceof int[] array && isWhole(at, bytes, 4)) {
      in.receive(array, ValueLayout.JAVA_INT_UNALIGNED, (int) (at >> 2), bytes >> 2);
    } else if (to instanceof byte[] array) {
      in.receive(array, (int) at, bytes);
    } else if (to instanceof long[] array && isWhole(at, bytes, 8)) {
      in.receive(array, ValueLayout.JAVA_LONG_UNALIGNED, (int) (at >> 3), bytes >> 3);
    } else if (to instanceof float[] array && isWhole(at, bytes, 4)) {
      in.receive(array, ValueLayout.JAVA_FLOAT_UNALIGNED, (int) (at >> 2), bytes >> 2);
    } else if (to instanceof char[] array && isWhole(at, bytes, 2)) {
      in.receive(array, ValueLayout.JAVA_CHAR_UNALIGNED, (int) (at >> 1), bytes >> 1);
    } else if (to instanceof short[] array && isWhole(at, bytes, 2)) {
      in.receive(array, ValueLayout.JAVA_SHORT_UNALIGNED, (int) (at >> 1), bytes >> 1);
    } else {
      receiveOther(in, to, at, bytes);
    }
  }

  private static void receiveOther(InMessage in, Object to, long at, int bytes) {
    MemorySegment segment = segment(to, at);
    if (segment != null) {
      in.receive(segment, place(to, at), bytes);
      return;
    }
    byte[] copy = new byte[bytes];
    in.receive(copy);
    write(MemorySegment.ofArray(copy), 0, to, at, bytes);
  }
}

package io.busbar.mpi;

import io.busbar.mpi.MpiError.Kind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidClassException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** Objects as bytes, and back. */
final class ObjectStream {
  private ObjectStream() {}

  /**
   * Finds classes of the program, too, if another loader than that of this room knows them: that of
   * the thread, as {@code java Program.java} has it, or that of the system.
   */
  private static final class OfProgram extends ObjectInputStream {
    OfProgram(InputStream in) throws IOException {
      super(in);
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass wanted)
        throws IOException, ClassNotFoundException {
      try {
        return super.resolveClass(wanted);
      } catch (ClassNotFoundException e) {
        ClassLoader ofThread = Thread.currentThread().getContextClassLoader();
        try {
          return Class.forName(wanted.getName(), false, ofThread);
        } catch (ClassNotFoundException again) {
          return Class.forName(wanted.getName(), false, ClassLoader.getSystemClassLoader());
        }
      }
    }
  }

  /** The objects that a type selects. */
  static byte[] write(Object[] array, long at, int count, Datatype type) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      type.forEachObject(
          at,
          count,
          index -> {
            try {
              out.writeObject(array[index]);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    } catch (IOException | UncheckedIOException e) {
      throw new MpiError(
          Kind.TYPE, "an object cannot be serialised: %s".formatted(e.getMessage()), e);
    }
    return bytes.toByteArray();
  }

  /** Puts the objects into a buffer, behind how many bytes they have. */
  static int pack(Object[] array, long at, int count, Datatype type, MemorySegment to, int toAt) {
    byte[] stream = write(array, at, count, type);
    int bytes = Integer.BYTES + stream.length;
    if (toAt < 0 || toAt + (long) bytes > to.byteSize()) {
      throw new MpiError(
          Kind.TRUNCATE,
          "%d bytes from position %d do not fit into %d".formatted(bytes, toAt, to.byteSize()));
    }
    to.set(ValueLayout.JAVA_INT_UNALIGNED, toAt, stream.length);
    MemorySegment.copy(stream, 0, to, ValueLayout.JAVA_BYTE, toAt + Integer.BYTES, stream.length);
    return bytes;
  }

  /** Takes objects out of a buffer; how many bytes they had. */
  static int unpack(
      MemorySegment from, int fromAt, Object[] array, long at, int count, Datatype type) {
    int length = from.get(ValueLayout.JAVA_INT_UNALIGNED, fromAt);
    byte[] stream = from.asSlice(fromAt + Integer.BYTES, length).toArray(ValueLayout.JAVA_BYTE);
    read(stream, (int) (count * type.size()), array, at, count, type);
    return Integer.BYTES + length;
  }

  /** Puts objects where a type has them; at most as many as there is room for. */
  static void read(byte[] stream, int objects, Object[] array, long at, int count, Datatype type) {
    read(stream, objects, array, at, count, type, Accepted.ofProcess());
  }

  static void read(
      byte[] stream,
      int objects,
      Object[] array,
      long at,
      int count,
      Datatype type,
      Accepted accepted) {
    List<Integer> places = new ArrayList<>();
    type.forEachObject(at, count, places::add);
    try (ObjectInputStream in = new OfProgram(new ByteArrayInputStream(stream))) {
      accepted.guard(in);
      for (int i = 0; i < Math.min(objects, places.size()); i++) {
        array[places.get(i)] = in.readObject();
      }
    } catch (InvalidClassException e) {
      throw accepted.error(e);
    } catch (IOException | ClassNotFoundException | ArrayStoreException e) {
      throw new MpiError(Kind.TYPE, "an object cannot be read: %s".formatted(e), e);
    }
    if (objects > places.size()) {
      throw new MpiError(
          Kind.TRUNCATE,
          "%d objects have come, and there is room for %d".formatted(objects, places.size()));
    }
  }
}

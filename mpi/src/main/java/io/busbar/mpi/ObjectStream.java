package io.busbar.mpi;

import io.busbar.mpi.MpiError.Kind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** Objects as bytes, and back. */
final class ObjectStream {
  /**
   * A pattern of classes that may be read, as {@code jdk.serialFilter} has; without it all may:
   * ranks of a job are one program.
   */
  static final String FILTER = "BUSBAR_MPI_OBJECTS";

  private ObjectStream() {}

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

  /** Puts objects where a type has them; at most as many as there is room for. */
  static void read(byte[] stream, int objects, Object[] array, long at, int count, Datatype type) {
    List<Integer> places = new ArrayList<>();
    type.forEachObject(at, count, places::add);
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(stream))) {
      String pattern = System.getenv(FILTER);
      if (pattern != null && !pattern.isEmpty()) {
        in.setObjectInputFilter(ObjectInputFilter.Config.createFilter(pattern));
      }
      for (int i = 0; i < Math.min(objects, places.size()); i++) {
        array[places.get(i)] = in.readObject();
      }
    } catch (InvalidClassException e) {
      throw new MpiError(
          Kind.TYPE, "an object was refused, see %s: %s".formatted(FILTER, e.getMessage()), e);
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

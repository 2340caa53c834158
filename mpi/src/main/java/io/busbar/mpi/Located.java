package io.busbar.mpi;

import io.busbar.mpi.Datatype.Role;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;

/** The extreme of values, and where it is; of equal ones the lowest place. */
final class Located implements Operation.Action {
  private final boolean larger;

  Located(boolean larger) {
    this.larger = larger;
  }

  private String name() {
    return larger ? "maxloc" : "minloc";
  }

  @Override
  public void apply(Object in, int inAt, Object inout, int inoutAt, int count, Datatype type) {
    boolean isPair = type.role() == Role.PAIR;
    boolean isLike = type.isDense() && type.size() == 2L * type.base().bytes();
    if (type.base() == Base.MIXED && isPair) {
      mixed(in, inAt, inout, inoutAt, count, type);
    } else if ((isPair || isLike) && type.base() != Base.OBJECT && type.base() != Base.BOOLEAN) {
      for (int i = 0; i < 2 * count; i += 2) {
        pair(in, inAt + i, inout, inoutAt + i);
      }
    } else {
      throw Operation.refused(name(), type);
    }
  }

  /** Pairs of one kind: the index is a number of that kind, too. */
  private void pair(Object in, int x, Object inout, int y) {
    int order = compare(in, x, inout, y);
    if (order > 0) {
      System.arraycopy(in, x, inout, y, 2);
    } else if (order == 0 && Array.getDouble(in, x + 1) < Array.getDouble(inout, y + 1)) {
      System.arraycopy(in, x + 1, inout, y + 1, 1);
    }
  }

  /** Positive when the first wins. */
  private int compare(Object in, int x, Object inout, int y) {
    int order =
        in instanceof long[] a && inout instanceof long[] b
            ? Long.compare(a[x], b[y])
            : Double.compare(Array.getDouble(in, x), Array.getDouble(inout, y));
    return larger ? order : -order;
  }

  /** Pairs of a value and an int, in bytes. */
  private void mixed(Object in, int x, Object inout, int y, int count, Datatype type) {
    MemorySegment a = MemorySegment.ofArray((byte[]) in);
    MemorySegment b = MemorySegment.ofArray((byte[]) inout);
    int extent = (int) type.extent();
    int indexAt = Math.max(type.value().bytes(), Integer.BYTES);
    for (int i = 0; i < count; i++) {
      int ax = x + i * extent;
      int by = y + i * extent;
      int order = compare(a, ax, b, by, type.value());
      int ai = a.get(ValueLayout.JAVA_INT_UNALIGNED, ax + indexAt);
      int bi = b.get(ValueLayout.JAVA_INT_UNALIGNED, by + indexAt);
      if (order > 0 || (order == 0 && ai < bi)) {
        MemorySegment.copy(a, ax, b, by, indexAt + Integer.BYTES);
      }
    }
  }

  private int compare(MemorySegment a, long x, MemorySegment b, long y, Base value) {
    int order =
        switch (value) {
          case SHORT ->
              Short.compare(
                  a.get(ValueLayout.JAVA_SHORT_UNALIGNED, x),
                  b.get(ValueLayout.JAVA_SHORT_UNALIGNED, y));
          case LONG ->
              Long.compare(
                  a.get(ValueLayout.JAVA_LONG_UNALIGNED, x),
                  b.get(ValueLayout.JAVA_LONG_UNALIGNED, y));
          case FLOAT ->
              Float.compare(
                  a.get(ValueLayout.JAVA_FLOAT_UNALIGNED, x),
                  b.get(ValueLayout.JAVA_FLOAT_UNALIGNED, y));
          case DOUBLE ->
              Double.compare(
                  a.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, x),
                  b.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, y));
          default ->
              Integer.compare(
                  a.get(ValueLayout.JAVA_INT_UNALIGNED, x),
                  b.get(ValueLayout.JAVA_INT_UNALIGNED, y));
        };
    return larger ? order : -order;
  }
}

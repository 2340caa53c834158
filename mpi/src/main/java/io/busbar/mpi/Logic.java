package io.busbar.mpi;

import java.lang.reflect.Array;
import java.util.function.LongBinaryOperator;

/** Operations on truth values, where a number that is not 0 holds, and on bits. */
final class Logic implements Operation.Action {
  /** Whether both hold. */
  static final Logic LAND = new Logic("land", (a, b) -> truth(a != 0 && b != 0));

  /** Whether one holds. */
  static final Logic LOR = new Logic("lor", (a, b) -> truth(a != 0 || b != 0));

  /** Whether exactly one holds. */
  static final Logic LXOR = new Logic("lxor", (a, b) -> truth((a != 0) ^ (b != 0)));

  /** Bits of both. */
  static final Logic BAND = new Logic("band", (a, b) -> a & b);

  /** Bits of either. */
  static final Logic BOR = new Logic("bor", (a, b) -> a | b);

  /** Bits of one alone. */
  static final Logic BXOR = new Logic("bxor", (a, b) -> a ^ b);

  private final String name;
  private final LongBinaryOperator operator;

  private Logic(String name, LongBinaryOperator operator) {
    this.name = name;
    this.operator = operator;
  }

  private static long truth(boolean holds) {
    return holds ? 1 : 0;
  }

  @Override
  public void apply(Object in, int inAt, Object inout, int inoutAt, int count, Datatype type) {
    int n = Operation.length(name, count, type);
    switch (type.base()) {
      case BOOLEAN -> booleans((boolean[]) in, inAt, (boolean[]) inout, inoutAt, n);
      case INT -> ints((int[]) in, inAt, (int[]) inout, inoutAt, n);
      case LONG -> longs((long[]) in, inAt, (long[]) inout, inoutAt, n);
      case BYTE, PACKED, CHAR, SHORT -> others(in, inAt, inout, inoutAt, n);
      default -> throw Operation.refused(name, type);
    }
  }

  private void booleans(boolean[] a, int x, boolean[] b, int y, int n) {
    for (int i = 0; i < n; i++) {
      b[y + i] = operator.applyAsLong(truth(a[x + i]), truth(b[y + i])) != 0;
    }
  }

  private void ints(int[] a, int x, int[] b, int y, int n) {
    for (int i = 0; i < n; i++) {
      b[y + i] = (int) operator.applyAsLong(a[x + i], b[y + i]);
    }
  }

  private void longs(long[] a, int x, long[] b, int y, int n) {
    for (int i = 0; i < n; i++) {
      b[y + i] = operator.applyAsLong(a[x + i], b[y + i]);
    }
  }

  private void others(Object a, int x, Object b, int y, int n) {
    for (int i = 0; i < n; i++) {
      long made = operator.applyAsLong(number(a, x + i), number(b, y + i));
      switch (b) {
        case byte[] bytes -> bytes[y + i] = (byte) made;
        case char[] chars -> chars[y + i] = (char) made;
        case short[] shorts -> shorts[y + i] = (short) made;
        default -> throw new IllegalArgumentException(b.getClass().getTypeName());
      }
    }
  }

  private static long number(Object array, int index) {
    return array instanceof char[] chars ? chars[index] : Array.getLong(array, index);
  }
}

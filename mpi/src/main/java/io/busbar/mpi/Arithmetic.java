package io.busbar.mpi;

import io.busbar.mpi.Datatype.Role;

/** Sums, products and extremes of numbers; each loop is written out so that it becomes vectors. */
abstract class Arithmetic implements Operation.Action {
  private final String name;

  Arithmetic(String name) {
    this.name = name;
  }

  @Override
  public void apply(Object in, int inAt, Object inout, int inoutAt, int count, Datatype type) {
    int n = Operation.length(name, count, type);
    if (type.role() == Role.PAIR || (type.role() == Role.COMPLEX && !takesComplex())) {
      throw Operation.refused(name, type);
    }
    if (type.role() == Role.COMPLEX && multiplies()) {
      multiply(in, inAt, inout, inoutAt, n);
      return;
    }
    switch (type.base()) {
      case BYTE, PACKED -> bytes((byte[]) in, inAt, (byte[]) inout, inoutAt, n);
      case CHAR -> chars((char[]) in, inAt, (char[]) inout, inoutAt, n);
      case SHORT -> shorts((short[]) in, inAt, (short[]) inout, inoutAt, n);
      case INT -> ints((int[]) in, inAt, (int[]) inout, inoutAt, n);
      case LONG -> longs((long[]) in, inAt, (long[]) inout, inoutAt, n);
      case FLOAT -> floats((float[]) in, inAt, (float[]) inout, inoutAt, n);
      case DOUBLE -> doubles((double[]) in, inAt, (double[]) inout, inoutAt, n);
      default -> throw Operation.refused(name, type);
    }
  }

  boolean takesComplex() {
    return false;
  }

  boolean multiplies() {
    return false;
  }

  private static void multiply(Object in, int inAt, Object inout, int inoutAt, int n) {
    if (in instanceof float[] a && inout instanceof float[] b) {
      for (int i = 0; i < n; i += 2) {
        float re = a[inAt + i] * b[inoutAt + i] - a[inAt + i + 1] * b[inoutAt + i + 1];
        float im = a[inAt + i] * b[inoutAt + i + 1] + a[inAt + i + 1] * b[inoutAt + i];
        b[inoutAt + i] = re;
        b[inoutAt + i + 1] = im;
      }
    } else if (in instanceof double[] a && inout instanceof double[] b) {
      for (int i = 0; i < n; i += 2) {
        double re = a[inAt + i] * b[inoutAt + i] - a[inAt + i + 1] * b[inoutAt + i + 1];
        double im = a[inAt + i] * b[inoutAt + i + 1] + a[inAt + i + 1] * b[inoutAt + i];
        b[inoutAt + i] = re;
        b[inoutAt + i + 1] = im;
      }
    }
  }

  abstract void bytes(byte[] a, int x, byte[] b, int y, int n);

  abstract void chars(char[] a, int x, char[] b, int y, int n);

  abstract void shorts(short[] a, int x, short[] b, int y, int n);

  abstract void ints(int[] a, int x, int[] b, int y, int n);

  abstract void longs(long[] a, int x, long[] b, int y, int n);

  abstract void floats(float[] a, int x, float[] b, int y, int n);

  abstract void doubles(double[] a, int x, double[] b, int y, int n);

  /** The sum. */
  static final class Sum extends Arithmetic {
    Sum() {
      super("sum");
    }

    @Override
    boolean takesComplex() {
      return true;
    }

    @Override
    void bytes(byte[] a, int x, byte[] b, int y, int n) {
      for (int i = 0; i < n; i++) {
        b[y + i] = (byte) (a[x + i] + b[y + i]);
      }
    }

    @Override
    void chars(char[] a, int x, char[] b, int y, int n) {
      for (int i = 0; i < n; i++) {
        b[y + i] = (char) (a[x + i] + b[y + i]);
      }
    }

    @Override
    void shorts(short[] a, int x, short[] b, int y, int n) {
      for (int i = 0; i < n; i++) {
        b[y + i] = (short) (a[x + i] + b[y + i]);
      }
    }

    @Override
    void ints(int[] a, int x, int[] b, int y, int n) {
      for (int i = 0; i < n; i++) {
        b[y + i] = a[x + i] + b[y + i];
      }
    }

    @Override
    void longs(long[] a, int x, long[] b, int y, int n) {
      for (int i = 0; i < n; i++) {
        b[y + i] = a[x + i] + b[y + i];
      }
    }

    @Override
    void floats(float[] a, int x, float[] b, int y, int n) {
      for (int i = 0; i < n; i++) {
        b[y + i] = a[x + i] + b[y + i];
      }
    }

    @Override
    void doubles(double[] a, int x, double[] b, int y, int n) {
      for (int i = 0; i < n; i++) {
        b[y + i] = a[x + i] + b[y + i];
      }
    }
  }

  /** The product. */
  static final class Product extends Arithmetic {
    Product() {
      super("prod");
    }

    @Override
    boolean takesComplex() {
      return true;
    }

    @Override
    boolean multiplies() {
      return true;
    }

    @Override
    void bytes(byte[] a, int x, byte[] b, int y, int n) {
      for (int i = 0; i < n; i++) {
        b[y + i] = (byte) (a[x + i] * b[y + i]);
      }
    }

    @Override
    void chars(char[] a, int x, char[] b, int y, int n) {
      for (int i = 0; i < n; i++) {
        b[y + i] = (char) (a[x + i] * b[y + i]);
      }
    }

    @Override
    void shorts(short[] a, int x, short[] b, int y, int n) {
      for (int i = 0; i < n; i++) {
        b[y + i] = (short) (a[x + i] * b[y + i]);
      }
    }

    @Override
    void ints(int[] a, int x, int[] b, int y, int n) {
      for (int i = 0; i < n; i++) {
        b[y + i] = a[x + i] * b[y + i];
      }
    }

    @Override
    void longs(long[] a, int x, long[] b, int y, int n) {
      for (int i = 0; i < n; i++) {
        b[y + i] = a[x + i] * b[y + i];
      }
    }

    @Override
    void floats(float[] a, int x, float[] b, int y, int n) {
      for (int i = 0; i < n; i++) {
        b[y + i] = a[x + i] * b[y + i];
      }
    }

    @Override
    void doubles(double[] a, int x, double[] b, int y, int n) {
      for (int i = 0; i < n; i++) {
        b[y + i] = a[x + i] * b[y + i];
      }
    }
  }

  /** The larger one. */
  static final class Max extends Arithmetic {
    Max() {
      super("max");
    }

    @Override
    void bytes(byte[] a, int x, byte[] b, int y, int n) {
      for (int i = 0; i < n; i++) {
        b[y + i] = (byte) Math.max(a[x + i], b[y + i]);
      }
    }

    @Override
    void chars(char[] a, int x, char[] b, int y, int n) {
      for (int i = 0; i < n; i++) {
        b[y + i] = (char) Math.max(a[x + i], b[y + i]);
      }
    }

    @Override
    void shorts(short[] a, int x, short[] b, int y, int n) {
      for (int i = 0; i < n; i++) {
        b[y + i] = (short) Math.max(a[x + i], b[y + i]);
      }
    }

    @Override
    void ints(int[] a, int x, int[] b, int y, int n) {
      for (int i = 0; i < n; i++) {
        b[y + i] = Math.max(a[x + i], b[y + i]);
      }
    }

    @Override
    void longs(long[] a, int x, long[] b, int y, int n) {
      for (int i = 0; i < n; i++) {
        b[y + i] = Math.max(a[x + i], b[y + i]);
      }
    }

    @Override
    void floats(float[] a, int x, float[] b, int y, int n) {
      for (int i = 0; i < n; i++) {
        b[y + i] = Math.max(a[x + i], b[y + i]);
      }
    }

    @Override
    void doubles(double[] a, int x, double[] b, int y, int n) {
      for (int i = 0; i < n; i++) {
        b[y + i] = Math.max(a[x + i], b[y + i]);
      }
    }
  }

  /** The smaller one. */
  static final class Min extends Arithmetic {
    Min() {
      super("min");
    }

    @Override
    void bytes(byte[] a, int x, byte[] b, int y, int n) {
      for (int i = 0; i < n; i++) {
        b[y + i] = (byte) Math.min(a[x + i], b[y + i]);
      }
    }

    @Override
    void chars(char[] a, int x, char[] b, int y, int n) {
      for (int i = 0; i < n; i++) {
        b[y + i] = (char) Math.min(a[x + i], b[y + i]);
      }
    }

    @Override
    void shorts(short[] a, int x, short[] b, int y, int n) {
      for (int i = 0; i < n; i++) {
        b[y + i] = (short) Math.min(a[x + i], b[y + i]);
      }
    }

    @Override
    void ints(int[] a, int x, int[] b, int y, int n) {
      for (int i = 0; i < n; i++) {
        b[y + i] = Math.min(a[x + i], b[y + i]);
      }
    }

    @Override
    void longs(long[] a, int x, long[] b, int y, int n) {
      for (int i = 0; i < n; i++) {
        b[y + i] = Math.min(a[x + i], b[y + i]);
      }
    }

    @Override
    void floats(float[] a, int x, float[] b, int y, int n) {
      for (int i = 0; i < n; i++) {
        b[y + i] = Math.min(a[x + i], b[y + i]);
      }
    }

    @Override
    void doubles(double[] a, int x, double[] b, int y, int n) {
      for (int i = 0; i < n; i++) {
        b[y + i] = Math.min(a[x + i], b[y + i]);
      }
    }
  }
}

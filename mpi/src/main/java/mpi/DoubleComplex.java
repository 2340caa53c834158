package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;

/** A complex number in a buffer: its real part, then its imaginary one. */
public final class DoubleComplex {
  private final DoubleBuffer buffer;
  private final int at;

  private DoubleComplex(DoubleBuffer buffer, int index) {
    this.buffer = buffer;
    this.at = 2 * index;
  }

  /** The first one of a buffer. */
  public static DoubleComplex get(DoubleBuffer buffer) {
    return get(buffer, 0);
  }

  /** One of those in a buffer. */
  public static DoubleComplex get(DoubleBuffer buffer, int index) {
    return new DoubleComplex(buffer, index);
  }

  /** The first one of an array. */
  public static DoubleComplex get(double[] array) {
    return get(array, 0);
  }

  /** One of those in an array. */
  public static DoubleComplex get(double[] array, int index) {
    return get(DoubleBuffer.wrap(array), index);
  }

  /** The first one of a buffer. */
  public static DoubleComplex get(ByteBuffer buffer) {
    return get(buffer, 0);
  }

  /** One of those in a buffer. */
  public static DoubleComplex get(ByteBuffer buffer, int index) {
    return get(buffer.duplicate().clear().order(ByteOrder.nativeOrder()).asDoubleBuffer(), index);
  }

  /** The real part. */
  public double getReal() {
    return buffer.get(at);
  }

  /** The imaginary part. */
  public double getImag() {
    return buffer.get(at + 1);
  }

  /** Sets the real part. */
  public void putReal(double real) {
    DoubleBuffer _ = buffer.put(at, real);
  }

  /** Sets the imaginary part. */
  public void putImag(double imag) {
    DoubleBuffer _ = buffer.put(at + 1, imag);
  }

  /** Where it is, for sends and receives. */
  public DoubleBuffer getBuffer() {
    return at == 0 ? buffer : MPI.slice(buffer, at);
  }
}

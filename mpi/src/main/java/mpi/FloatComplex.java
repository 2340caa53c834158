package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;

/** A complex number in a buffer: its real part, then its imaginary one. */
public final class FloatComplex {
  private final FloatBuffer buffer;
  private final int at;

  private FloatComplex(FloatBuffer buffer, int index) {
    this.buffer = buffer;
    this.at = 2 * index;
  }

  /** The first one of a buffer. */
  public static FloatComplex get(FloatBuffer buffer) {
    return get(buffer, 0);
  }

  /** One of those in a buffer. */
  public static FloatComplex get(FloatBuffer buffer, int index) {
    return new FloatComplex(buffer, index);
  }

  /** The first one of an array. */
  public static FloatComplex get(float[] array) {
    return get(array, 0);
  }

  /** One of those in an array. */
  public static FloatComplex get(float[] array, int index) {
    return get(FloatBuffer.wrap(array), index);
  }

  /** The first one of a buffer. */
  public static FloatComplex get(ByteBuffer buffer) {
    return get(buffer, 0);
  }

  /** One of those in a buffer. */
  public static FloatComplex get(ByteBuffer buffer, int index) {
    return get(buffer.duplicate().clear().order(ByteOrder.nativeOrder()).asFloatBuffer(), index);
  }

  /** The real part. */
  public float getReal() {
    return buffer.get(at);
  }

  /** The imaginary part. */
  public float getImag() {
    return buffer.get(at + 1);
  }

  /** Sets the real part. */
  public void putReal(float real) {
    FloatBuffer _ = buffer.put(at, real);
  }

  /** Sets the imaginary part. */
  public void putImag(float imag) {
    FloatBuffer _ = buffer.put(at + 1, imag);
  }

  /** Where it is, for sends and receives. */
  public FloatBuffer getBuffer() {
    return at == 0 ? buffer : MPI.slice(buffer, at);
  }
}

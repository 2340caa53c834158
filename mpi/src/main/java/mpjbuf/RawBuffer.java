package mpjbuf;

/** Memory of a {@link Buffer}. */
public final class RawBuffer {
  private final byte[] bytes;

  RawBuffer(int capacity) {
    bytes = new byte[capacity];
  }

  byte[] bytes() {
    return bytes;
  }

  /** How much it holds. */
  public int getCapacity() {
    return bytes.length;
  }
}

package mpjbuf;

/** Makes memory for buffers. */
public final class BufferFactory {
  private BufferFactory() {}

  /** Memory for so many bytes. */
  public static RawBuffer create(int capacity) {
    return new RawBuffer(capacity);
  }

  /** Nothing has to be prepared. */
  public static void initPool(int level) {}

  /** The collector takes it. */
  public static void destroy(RawBuffer buffer) {}
}

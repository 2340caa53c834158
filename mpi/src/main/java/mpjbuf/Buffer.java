package mpjbuf;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A buffer that {@code Pack} fills, that is sent and received, and that {@code Unpack} empties. */
public final class Buffer {
  private final RawBuffer memory;

  /** For so many bytes. */
  public Buffer(int capacity) {
    this(BufferFactory.create(capacity), 0, capacity);
  }

  /** Over memory; all of it is used. */
  public Buffer(RawBuffer memory, int offset, int capacity) {
    this.memory = memory;
  }

  /** Its memory. */
  public RawBuffer getStaticBuffer() {
    return memory;
  }

  /** How much it holds. */
  public int getCapacity() {
    return memory.getCapacity();
  }

  /** Its bytes. */
  public ByteBuffer bytes() {
    return ByteBuffer.wrap(memory.bytes()).order(ByteOrder.nativeOrder());
  }

  /** What was packed can be unpacked: nothing has to be done for that. */
  public void commit() {}

  /** It can be packed into again: nothing has to be done for that. */
  public void clear() {}

  /** The collector takes it. */
  public void free() {}
}

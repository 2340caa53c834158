package io.busbar.messages;

import io.busbar.messages.MessageException.Mistake;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;

/** A message inside its handler: a stream of bytes, to be received in pieces of any size. */
public final class InMessage {
  private MemorySegment memory = MemorySegment.NULL;
  private long at;
  private int remaining;
  private int length;

  InMessage() {}

  void open(MemorySegment from, long offset, int bytes) {
    memory = from;
    at = offset;
    length = bytes;
    remaining = bytes;
  }

  void close() {
    memory = MemorySegment.NULL;
    remaining = 0;
  }

  /** Bytes of the whole message. */
  public int length() {
    return length;
  }

  /** Bytes that were not received yet. */
  public int remaining() {
    return remaining;
  }

  private long take(long bytes) {
    if (bytes < 0 || bytes > remaining) {
      throw new MessageException(
          Mistake.PAST_END,
          "%d bytes were asked for, and %d of the message's %d remain"
              .formatted(bytes, remaining, length));
    }
    long from = at;
    at += bytes;
    remaining -= (int) bytes;
    return from;
  }

  /** Receives as many bytes as the memory has room for. */
  public void receive(MemorySegment into) {
    receive(into, 0, into.byteSize());
  }

  /** Receives so many bytes to a place. */
  public void receive(MemorySegment into, long offset, long bytes) {
    MemorySegment.copy(memory, take(bytes), into, offset, bytes);
  }

  /** Fills an array. */
  public void receive(byte[] into) {
    receive(into, 0, into.length);
  }

  /** Fills a part of an array. */
  public void receive(byte[] into, int offset, int bytes) {
    MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, take(bytes), into, offset, bytes);
  }

  /** Fills a buffer up to its limit. */
  public void receive(ByteBuffer into) {
    receive(MemorySegment.ofBuffer(into));
    into.position(into.limit());
  }

  /** The next four bytes, little-endian. */
  public int receiveInt() {
    return memory.get(Little.INT, take(Integer.BYTES));
  }

  /** The next eight bytes, little-endian. */
  public long receiveLong() {
    return memory.get(Little.LONG, take(Long.BYTES));
  }

  /** Passes over bytes. */
  public void skip(int bytes) {
    long _ = take(bytes);
  }
}

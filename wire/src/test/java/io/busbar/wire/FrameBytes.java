package io.busbar.wire;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** A frame that a test changes. */
final class FrameBytes {
  private byte[] bytes;

  FrameBytes(byte[] bytes) {
    this.bytes = bytes;
  }

  int u8(int at) {
    return Le.u8(segment(), at);
  }

  int u16(int at) {
    return Le.u16(segment(), at);
  }

  void u8(int at, int value) {
    bytes[at] = (byte) value;
  }

  void u16(int at, int value) {
    segment().set(Le.SHORT, at, (short) value);
  }

  void i32(int at, int value) {
    segment().set(Le.INT, at, value);
  }

  void i64(int at, long value) {
    segment().set(Le.LONG, at, value);
  }

  /** Sets the length that the header announces, and provides exactly that many bytes. */
  void length(int length) {
    u16(Header.LENGTH_AT, length);
    resize(Header.BYTES + length);
  }

  void resize(int length) {
    bytes = Arrays.copyOf(bytes, length);
  }

  MemorySegment segment() {
    return MemorySegment.ofArray(bytes);
  }

  int size() {
    return bytes.length;
  }
}

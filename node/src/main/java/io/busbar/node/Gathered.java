package io.busbar.node;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The pieces of a record that came in several, one behind the other. */
final class Gathered {
  private MemorySegment memory = MemorySegment.NULL;
  private int bytes;

  /** A record begins. */
  void begin() {
    bytes = 0;
  }

  /** How much of it lies here. */
  int bytes() {
    return bytes;
  }

  /** The next piece; all of them fit that make a record. */
  void add(MemorySegment from, long at, int length) {
    if (memory.byteSize() == 0) {
      memory = Arena.ofAuto().allocate(Lane.RECORD_BYTES_MAX);
    }
    MemorySegment.copy(from, at, memory, bytes, length);
    bytes += length;
  }

  /** Where the record begins. */
  MemorySegment memory() {
    return memory;
  }
}

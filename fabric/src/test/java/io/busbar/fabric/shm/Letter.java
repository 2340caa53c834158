package io.busbar.fabric.shm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;

/** Frames that a test can recognise: a number, and bytes that follow from it and their place. */
final class Letter {
  /** The shortest: its number. */
  static final int BYTES_MIN = Long.BYTES;

  private static final long FACTOR = 0x9E37_79B9_7F4A_7C15L;

  private Letter() {}

  static void write(MemorySegment memory, long at, int length, long number) {
    int i = 0;
    for (; i + 8 <= length; i += 8) {
      memory.set(JAVA_LONG_UNALIGNED, at + i, number ^ (i * FACTOR));
    }
    for (; i < length; i++) {
      memory.set(JAVA_BYTE, at + i, (byte) (number + i));
    }
  }

  /** The number of a frame, or -1 when its bytes are not those that were written. */
  static long read(MemorySegment memory, long at, int length) {
    long number = memory.get(JAVA_LONG_UNALIGNED, at);
    long differences = 0;
    int i = 0;
    for (; i + 8 <= length; i += 8) {
      differences |= memory.get(JAVA_LONG_UNALIGNED, at + i) ^ number ^ (i * FACTOR);
    }
    for (; i < length; i++) {
      differences |= memory.get(JAVA_BYTE, at + i) ^ (byte) (number + i);
    }
    return differences == 0 ? number : -1;
  }
}

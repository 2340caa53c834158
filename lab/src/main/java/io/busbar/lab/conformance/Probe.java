package io.busbar.lab.conformance;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The bytes of the kit's frames: a function of sender, number and length, so that every change of
 * them shows. From 16 bytes on a frame carries its number and its sender.
 */
final class Probe {
  /** From this length a frame says what it is. */
  static final int NUMBERED_BYTES = 16;

  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Probe() {}

  static void fill(MemorySegment memory, long at, int length, int sender, long number) {
    int words = length >>> 3;
    for (int i = 0; i < words; i++) {
      memory.set(WORD, at + ((long) i << 3), word(i, length, sender, number));
    }
    long last = word(words, length, sender, number);
    for (int i = words << 3; i < length; i++) {
      memory.set(ValueLayout.JAVA_BYTE, at + i, (byte) (last >>> ((i & 7) << 3)));
    }
  }

  static boolean matches(MemorySegment memory, long at, int length, int sender, long number) {
    int words = length >>> 3;
    for (int i = 0; i < words; i++) {
      if (memory.get(WORD, at + ((long) i << 3)) != word(i, length, sender, number)) {
        return false;
      }
    }
    long last = word(words, length, sender, number);
    for (int i = words << 3; i < length; i++) {
      if (memory.get(ValueLayout.JAVA_BYTE, at + i) != (byte) (last >>> ((i & 7) << 3))) {
        return false;
      }
    }
    return true;
  }

  /** The number that a frame of {@link #NUMBERED_BYTES} or more says it has. */
  static long number(MemorySegment memory, long at) {
    return memory.get(WORD, at);
  }

  /** The sender that a frame of {@link #NUMBERED_BYTES} or more says it has. */
  static int sender(MemorySegment memory, long at) {
    return (int) (memory.get(WORD, at + Long.BYTES) >>> 32);
  }

  private static long word(int i, int length, int sender, long number) {
    if (length >= NUMBERED_BYTES && i < 2) {
      return i == 0 ? number : (long) sender << 32 | length;
    }
    long x = number * 0x9E37_79B9_7F4A_7C15L + (sender * 0x1_0001L + length) * 31 + i;
    x = (x ^ x >>> 30) * 0xBF58_476D_1CE4_E5B9L;
    x = (x ^ x >>> 27) * 0x94D0_49BB_1331_11EBL;
    return x ^ x >>> 31;
  }
}

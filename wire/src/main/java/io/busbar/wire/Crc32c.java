package io.busbar.wire;

import java.lang.foreign.MemorySegment;

/**
 * CRC32C over segments, eight bytes a step, without allocating: {@link java.util.zip.CRC32C} takes
 * arrays and buffers only, and a buffer per frame is garbage.
 */
final class Crc32c {
  /** Bytes that a checksum adds to a frame. */
  static final int BYTES = 4;

  private static final int POLYNOMIAL = 0x82F6_3B78;
  private static final int[] TABLE = tables();

  private Crc32c() {}

  /** The state before the first byte. */
  static int start() {
    return ~0;
  }

  /** The checksum of all that was added. */
  static int finish(int state) {
    return ~state;
  }

  static int update(int state, MemorySegment segment, long at, long length) {
    int crc = state;
    long end = at + length;
    long wordsEnd = at + (length & ~7L);
    long i = at;
    for (; i < wordsEnd; i += Long.BYTES) {
      long word = segment.get(Le.LONG, i) ^ (crc & 0xFFFF_FFFFL);
      crc =
          TABLE[7 << 8 | ((int) word & 0xFF)]
              ^ TABLE[6 << 8 | ((int) (word >>> 8) & 0xFF)]
              ^ TABLE[5 << 8 | ((int) (word >>> 16) & 0xFF)]
              ^ TABLE[4 << 8 | ((int) (word >>> 24) & 0xFF)]
              ^ TABLE[3 << 8 | ((int) (word >>> 32) & 0xFF)]
              ^ TABLE[2 << 8 | ((int) (word >>> 40) & 0xFF)]
              ^ TABLE[1 << 8 | ((int) (word >>> 48) & 0xFF)]
              ^ TABLE[(int) (word >>> 56)];
    }
    for (; i < end; i++) {
      crc = crc >>> 8 ^ TABLE[(crc ^ Le.u8(segment, i)) & 0xFF];
    }
    return crc;
  }

  private static int[] tables() {
    int[] table = new int[8 << 8];
    for (int value = 0; value < 256; value++) {
      int crc = value;
      for (int bit = 0; bit < 8; bit++) {
        crc = crc >>> 1 ^ ((crc & 1) == 0 ? 0 : POLYNOMIAL);
      }
      table[value] = crc;
    }
    for (int value = 0; value < 256; value++) {
      for (int step = 1; step < 8; step++) {
        int before = table[(step - 1) << 8 | value];
        table[step << 8 | value] = before >>> 8 ^ table[before & 0xFF];
      }
    }
    return table;
  }
}

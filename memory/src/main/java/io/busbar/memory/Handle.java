package io.busbar.memory;

/** A buffer's name: the block it begins with (24 bits), and its generation (32 bits). */
final class Handle {
  private Handle() {}

  static long of(int block, int generation) {
    return block | (generation & 0xFFFF_FFFFL) << 24;
  }

  static int block(long handle) {
    return (int) handle & 0xFF_FFFF;
  }

  static int generation(long handle) {
    return (int) (handle >>> 24);
  }
}

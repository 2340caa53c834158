package io.busbar.memory;

/** A buffer's name: the block it begins with (24 bits), and its generation (32 bits). */
final class Handle {
  private static final int BITS = 56;

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

  /** Whether it names a block of a pool with so many: it may be forged, or of another pool. */
  static boolean isOf(long handle, int blocks) {
    return handle >>> BITS == 0 && block(handle) < blocks;
  }
}

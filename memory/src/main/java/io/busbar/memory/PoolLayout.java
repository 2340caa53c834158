package io.busbar.memory;

/**
 * Where a pool's words and blocks lie: first a control area (one group of words for each zone),
 * then the blocks, aligned to their size.
 *
 * @param zones zones of 32 blocks
 * @param blockBytes a power of two
 */
public record PoolLayout(int zones, int blockBytes) {
  /** Blocks in a zone; a bitmap is one word. */
  public static final int ZONE_BLOCKS = 32;

  static final int BLOCK_BYTES_MIN = 4 << 10;
  static final int BLOCK_BYTES_MAX = 2 << 20;
  static final int ZONES_MAX = 1 << 19;

  /** Words of a zone: 32 states, the bitmap, the busy word, and padding to 128 bytes more. */
  private static final int ZONE_WORDS = ZONE_BLOCKS + 16;

  /** Refuses what is no pool. */
  public PoolLayout {
    if (zones < 1 || zones > ZONES_MAX) {
      throw new IllegalArgumentException(
          "a pool of %d zones; allowed: 1 to %d".formatted(zones, ZONES_MAX));
    }
    boolean size = blockBytes >= BLOCK_BYTES_MIN && blockBytes <= BLOCK_BYTES_MAX;
    if (!size || Integer.bitCount(blockBytes) != 1) {
      throw new IllegalArgumentException(
          "blocks of %d bytes; allowed: a power of two from 4 KB to 2 MB".formatted(blockBytes));
    }
  }

  /** The smallest pool with so many bytes of blocks. */
  public static PoolLayout of(long bytes, int blockBytes) {
    long zone = (long) ZONE_BLOCKS * blockBytes;
    return new PoolLayout(
        (int) Math.min(Integer.MAX_VALUE, -Math.floorDiv(-bytes, zone)), blockBytes);
  }

  /** Bytes of the whole pool. */
  public long bytes() {
    return blocksAt() + (long) blocks() * blockBytes;
  }

  /** How many blocks there are. */
  public int blocks() {
    return zones * ZONE_BLOCKS;
  }

  /** How many blocks a buffer of so many bytes takes (A35). */
  public int blocksOf(int bytes) {
    return -Math.floorDiv(-bytes, blockBytes);
  }

  /** Where the first block begins. */
  long blocksAt() {
    long control = (long) zones * ZONE_WORDS * Long.BYTES;
    return -Math.floorDiv(-control, (long) blockBytes) * blockBytes;
  }

  /** Where a block begins. */
  long blockAt(int block) {
    return blocksAt() + (long) block * blockBytes;
  }

  static long stateWord(int block) {
    return (long) (block / ZONE_BLOCKS) * ZONE_WORDS + block % ZONE_BLOCKS;
  }

  static long bitmapWord(int zone) {
    return (long) zone * ZONE_WORDS + ZONE_BLOCKS;
  }

  static long busyWord(int zone) {
    return bitmapWord(zone) + 1;
  }
}

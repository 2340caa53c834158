package io.busbar.memory;

/**
 * Where this process has built buffers of each size, the oldest first: they are freed in about that
 * order, and may rest there. A hint; the words tell.
 */
final class RecentBuffers {
  private static final int KEPT = 64;

  /** By size, each a ring that is made when it is needed. */
  private final int[][] blocks = new int[PoolLayout.ZONE_BLOCKS + 1][0];

  private final int[] first = new int[PoolLayout.ZONE_BLOCKS + 1];
  private final int[] count = new int[PoolLayout.ZONE_BLOCKS + 1];

  /** How many of a size there are. */
  int count(int size) {
    return count[size];
  }

  /** A buffer of so many blocks begins at this one. What is too much is forgotten. */
  void add(int size, int block) {
    if (blocks[size].length == 0) {
      blocks[size] = new int[KEPT];
    }
    if (count[size] == KEPT) {
      int _ = remove(size);
    }
    blocks[size][(first[size] + count[size]++) % KEPT] = block;
  }

  /** Takes the oldest one out; there is one. */
  int remove(int size) {
    int block = blocks[size][first[size]];
    first[size] = (first[size] + 1) % KEPT;
    count[size]--;
    return block;
  }
}

package io.busbar.memory;

/**
 * Finding, claiming and freeing blocks. The only place that changes state words, but for a change
 * of owner. Bitmaps (a bit set means used) and busy words are hints; a look that trusts them comes
 * first, and one that reads the words, busy zones too, before anything is refused.
 */
final class Zones {
  private static final int ALL = PoolLayout.ZONE_BLOCKS;

  private final PoolLayout layout;
  private final Words words;
  private final int participant;

  Zones(PoolLayout layout, Words words, int participant) {
    this.layout = layout;
    this.words = words;
    this.participant = participant;
  }

  /** Whether somebody else is at work in the block's zone. */
  boolean isBusy(int block) {
    return words.get(PoolLayout.busyWord(block / ALL)) != 0;
  }

  long allocate(int blocks, Role role) {
    for (int zone = 0; zone < layout.zones(); zone++) {
      long used = words.get(PoolLayout.bitmapWord(zone));
      if (find(used, blocks, 0) < ALL && enter(zone)) {
        long handle = allocateIn(zone, used, blocks, role);
        leave(zone);
        if (handle != Pool.NONE) {
          return handle;
        }
      }
    }
    for (int zone = 0; zone < layout.zones(); zone++) {
      long used = usedByWords(zone);
      words.hint(PoolLayout.bitmapWord(zone), used);
      long handle = allocateIn(zone, used, blocks, role);
      if (handle != Pool.NONE) {
        return handle;
      }
    }
    return Pool.NONE;
  }

  private boolean enter(int zone) {
    return words.replace(PoolLayout.busyWord(zone), 0, participant);
  }

  private void leave(int zone) {
    words.hint(PoolLayout.busyWord(zone), 0);
  }

  /** Tries every run of blocks that the bitmap calls free, from the first on. */
  private long allocateIn(int zone, long bitmap, int blocks, Role role) {
    long used = bitmap;
    int first = find(used, blocks, 0);
    while (first < ALL) {
      int taken = claim(zone * ALL + first, blocks);
      if (taken == blocks) {
        return finish(zone, first, blocks, role);
      }
      used |= 1L << (first + taken);
      words.hint(PoolLayout.bitmapWord(zone), used);
      first = find(used, blocks, first);
    }
    return Pool.NONE;
  }

  /** The first run of {@code blocks} clear bits at or behind {@code from}; {@code ALL}: none. */
  private static int find(long used, int blocks, int from) {
    long run = blocks == Long.SIZE ? -1 : (1L << blocks) - 1;
    for (int first = from; first + blocks <= ALL; first++) {
      if ((used & run << first) == 0) {
        return first;
      }
    }
    return ALL;
  }

  /** Claims blocks one by one; returns how many before one was taken, and gives those back. */
  private int claim(int first, int blocks) {
    long head = words.get(PoolLayout.stateWord(first));
    int generation = BlockWord.generation(head) + 1;
    long claiming = BlockWord.claiming(participant, generation);
    if (BlockWord.state(head) != BlockWord.FREE || !replace(first, head, claiming)) {
      return 0;
    }
    for (int i = 1; i < blocks; i++) {
      long word = words.get(PoolLayout.stateWord(first + i));
      long tail = BlockWord.tail(first % ALL, BlockWord.generation(word) + 1);
      if (BlockWord.state(word) != BlockWord.FREE || !replace(first + i, word, tail)) {
        release(first, claiming);
        return i;
      }
    }
    return blocks;
  }

  private long finish(int zone, int first, int blocks, Role role) {
    int block = zone * ALL + first;
    long word = words.get(PoolLayout.stateWord(block));
    int generation = BlockWord.generation(word);
    long claimed = BlockWord.claiming(participant, generation);
    if (!replace(block, claimed, BlockWord.owned(blocks, role, participant, generation))) {
      throw new IllegalStateException(
          "participant %d was declared dead while it was allocating".formatted(participant));
    }
    long bitmap = words.get(PoolLayout.bitmapWord(zone));
    words.hint(PoolLayout.bitmapWord(zone), bitmap | ((1L << blocks) - 1) << first);
    return Handle.of(block, generation);
  }

  /** Frees a buffer that this participant owns. */
  void free(int block) {
    long word = words.get(PoolLayout.stateWord(block));
    long freeing = BlockWord.reclaiming(participant, BlockWord.generation(word));
    if (!BlockWord.isHeldBy(word, participant) || !replace(block, word, freeing)) {
      throw new OwnershipException(
          "block %d was freed by participant %d; it is held by %s"
              .formatted(block, participant, BlockWord.owner(word)));
    }
    release(block, freeing);
  }

  /**
   * Frees the tails of a head that this participant holds, the last one first, then the head: what
   * a death leaves is always a shorter buffer without a hole, which the next one finds whole.
   */
  private void release(int block, long head) {
    int first = block % ALL;
    int end = first + 1;
    while (end < ALL && isTailOf(block - first + end, first)) {
      end++;
    }
    for (int i = end - 1; i > first; i--) {
      int tail = block - first + i;
      long word = words.get(PoolLayout.stateWord(tail));
      replace(tail, word, BlockWord.free(BlockWord.generation(word)));
    }
    replace(block, head, BlockWord.free(BlockWord.generation(head) + 1));
    long freed = ((1L << (end - first)) - 1) << first;
    long bitmap = words.get(PoolLayout.bitmapWord(block / ALL));
    words.hint(PoolLayout.bitmapWord(block / ALL), bitmap & ~freed);
  }

  private boolean isTailOf(int block, int head) {
    long word = words.get(PoolLayout.stateWord(block));
    return BlockWord.state(word) == BlockWord.TAIL && BlockWord.head(word) == head;
  }

  int reclaim(int dead) {
    int freed = 0;
    for (int block = 0; block < layout.blocks(); block++) {
      long word = words.get(PoolLayout.stateWord(block));
      if (BlockWord.isHeldBy(word, dead)) {
        long freeing = BlockWord.reclaiming(participant, BlockWord.generation(word));
        if (replace(block, word, freeing)) {
          release(block, freeing);
          freed++;
        }
      }
    }
    for (int zone = 0; zone < layout.zones(); zone++) {
      words.replace(PoolLayout.busyWord(zone), dead, 0);
    }
    return freed;
  }

  private boolean replace(int block, long expected, long word) {
    return words.replace(PoolLayout.stateWord(block), expected, word);
  }

  private long usedByWords(int zone) {
    long used = 0;
    for (int i = 0; i < ALL; i++) {
      long word = words.get(PoolLayout.stateWord(zone * ALL + i));
      used |= BlockWord.state(word) == BlockWord.FREE ? 0 : 1L << i;
    }
    return used;
  }
}

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
  private final RecentBuffers recent = new RecentBuffers();

  /** A bit that no block has. */
  private static final long RESTS = 1L << ALL;

  /** Buffers that are looked at before another one is built. */
  private static final int LOOKS = 8;

  Zones(PoolLayout layout, Words words, int participant) {
    this.layout = layout;
    this.words = words;
    this.participant = participant;
  }

  /**
   * A buffer that rests, of those that were built here: one compare-and-swap, however long it is.
   *
   * @return a handle, or {@link Pool#NONE}
   */
  long allocateResting(int blocks, Role role) {
    for (int i = Math.min(recent.count(blocks), LOOKS); i > 0; i--) {
      int block = recent.remove(blocks);
      long word = words.get(PoolLayout.stateWord(block));
      boolean rests = BlockWord.isResting(word, block % ALL) && BlockWord.blocks(word) == blocks;
      int generation = BlockWord.generation(word) + 1;
      boolean taken =
          rests && replace(block, word, BlockWord.owned(blocks, role, participant, generation));
      if (taken || BlockWord.isHead(word, block % ALL)) {
        recent.add(blocks, block); // behind those that were built before it
      }
      if (taken) {
        return Handle.of(block, generation);
      }
    }
    return Pool.NONE;
  }

  /** Whether somebody is at work in the block's zone. */
  boolean isBusy(int block) {
    return Pool.isParticipant(words.get(PoolLayout.busyWord(block / ALL)));
  }

  /** First fit in the zones that are not busy and look free; a handle, or {@link Pool#NONE}. */
  long allocateByHints(int blocks, Role role) {
    for (int zone = 0; zone < layout.zones(); zone++) {
      long used = words.get(PoolLayout.bitmapWord(zone));
      if (find(used, blocks, 0) < ALL && enter(zone)) {
        try {
          long handle = allocateIn(zone, used, blocks, role);
          if (handle != Pool.NONE) {
            return handle;
          }
        } finally {
          leave(zone);
        }
      }
    }
    return Pool.NONE;
  }

  /**
   * First fit by the words, in busy zones too. The hints of a zone that is used so are set right,
   * so that what a dead process left in them costs one such look.
   */
  long allocateByWords(int blocks, Role role) {
    for (int zone = 0; zone < layout.zones(); zone++) {
      long used = usedByWords(zone);
      if ((used & RESTS) != 0) {
        breakUpResting(zone);
        used = usedByWords(zone) & ~RESTS;
      }
      words.hint(PoolLayout.bitmapWord(zone), used);
      long handle = allocateIn(zone, used, blocks, role);
      if (handle != Pool.NONE) {
        leave(zone);
        return handle;
      }
    }
    return Pool.NONE;
  }

  /** Buffers that rest become free blocks, for those who want other sizes. */
  private void breakUpResting(int zone) {
    for (int place = 0; place < ALL; place++) {
      long word = word(zone, place);
      if (BlockWord.isResting(word, place)) {
        boolean _ = free(zone * ALL + place, word);
      }
    }
  }

  private boolean enter(int zone) {
    long seen = words.get(PoolLayout.busyWord(zone));
    return !Pool.isParticipant(seen) && words.replace(PoolLayout.busyWord(zone), seen, participant);
  }

  private void leave(int zone) {
    words.hint(PoolLayout.busyWord(zone), 0);
  }

  /** Tries every run of blocks that the bitmap calls free, from the first on. */
  private long allocateIn(int zone, long bitmap, int blocks, Role role) {
    long used = bitmap;
    int first = find(used, blocks, 0);
    while (first < ALL) {
      long result = claim(zone * ALL + first, blocks, role);
      if (result >= 0) {
        long now = words.get(PoolLayout.bitmapWord(zone));
        words.hint(PoolLayout.bitmapWord(zone), now | run(first, blocks));
        return result;
      }
      used |= run(first + (int) ~result, 1);
      words.hint(PoolLayout.bitmapWord(zone), used);
      first = find(used, blocks, first);
    }
    return Pool.NONE;
  }

  private static long run(int first, int blocks) {
    return ((1L << blocks) - 1) << first;
  }

  /** The first run of {@code blocks} clear bits at or behind {@code from}; {@code ALL}: none. */
  static int find(long used, int blocks, int from) {
    long free = ~used & run(from, ALL - from);
    // A bit that is left begins a run of so many free blocks.
    for (int length = 1; length < blocks; ) {
      int step = Math.min(length, blocks - length);
      free &= free >>> step;
      length += step;
    }
    return free == 0 ? ALL : Long.numberOfTrailingZeros(free);
  }

  /**
   * Claims blocks one by one.
   *
   * @return a handle; or, as {@code ~n}, that block n of the run was taken, and those before it
   *     were given back
   */
  private long claim(int first, int blocks, Role role) {
    long head = words.get(PoolLayout.stateWord(first));
    int generation = BlockWord.generation(head) + 1;
    long claiming = BlockWord.claiming(participant, generation);
    if (!BlockWord.isFree(head) || !replace(first, head, claiming)) {
      return ~0;
    }
    for (int i = 1; i < blocks; i++) {
      long word = words.get(PoolLayout.stateWord(first + i));
      long tail = BlockWord.tail(first % ALL, BlockWord.generation(word) + 1);
      if (!BlockWord.isFree(word) || !replace(first + i, word, tail)) {
        release(first, claiming);
        return ~i;
      }
    }
    if (!replace(first, claiming, BlockWord.owned(blocks, role, participant, generation))) {
      throw taken(first);
    }
    if (blocks > 1) {
      recent.add(blocks, first);
    }
    return Handle.of(first, generation);
  }

  private OwnershipException taken(int block) {
    return new OwnershipException(
        ("block %d was taken from participant %d while it was allocating it, and is held by %s; the"
                + " participant was declared dead, or the pool is damaged: leave it and join again")
            .formatted(block, participant, owner(block)));
  }

  /**
   * Frees a buffer that has this word, by one compare-and-swap; false when it has it no longer. One
   * of several blocks rests: it stays whole until somebody wants its blocks for another size.
   */
  boolean rest(int block, long word) {
    int blocks = BlockWord.blocks(word);
    return blocks > 1
        ? replace(block, word, BlockWord.resting(blocks, BlockWord.generation(word) + 1))
        : free(block, word);
  }

  /** Frees the blocks of a buffer whose head has this word; false when it has no longer. */
  boolean free(int block, long word) {
    long freeing = BlockWord.reclaiming(participant, BlockWord.generation(word));
    if (!replace(block, word, freeing)) {
      return false;
    }
    release(block, freeing);
    return true;
  }

  /**
   * Frees the tails of a head that this participant holds, the last one first, then the head: what
   * a death leaves is always a shorter buffer without a hole, which the next one finds whole.
   */
  private void release(int block, long head) {
    int first = block % ALL;
    int zone = block / ALL;
    int end = first + 1;
    while (end < ALL && BlockWord.isTailOf(word(zone, end), first)) {
      end++;
    }
    for (int i = end - 1; i > first; i--) {
      long word = word(zone, i);
      if (BlockWord.isTailOf(word, first)) {
        replace(zone * ALL + i, word, BlockWord.free(BlockWord.generation(word)));
      }
    }
    replace(block, head, BlockWord.free(BlockWord.generation(head) + 1));
    long bitmap = words.get(PoolLayout.bitmapWord(zone));
    words.hint(PoolLayout.bitmapWord(zone), bitmap & ~run(first, end - first));
  }

  /** Frees what a dead participant held; how many buffers. */
  int reclaim(int dead) {
    int freed = 0;
    for (int block = 0; block < layout.blocks(); block++) {
      long word = words.get(PoolLayout.stateWord(block));
      if (BlockWord.isHeldBy(word, dead, block % ALL) && free(block, word)) {
        freed++;
      }
    }
    for (int zone = 0; zone < layout.zones(); zone++) {
      words.replace(PoolLayout.busyWord(zone), dead, 0);
    }
    return freed;
  }

  int freeBlocks() {
    int free = 0;
    for (int block = 0; block < layout.blocks(); block++) {
      free += freeAt(words.get(PoolLayout.stateWord(block)), block % ALL);
    }
    return free;
  }

  /** The free blocks that a word stands for: those of a buffer that rests, too. */
  private static int freeAt(long word, int place) {
    return BlockWord.isFree(word)
        ? 1
        : BlockWord.isResting(word, place) ? BlockWord.blocks(word) : 0;
  }

  /** Adds what each participant holds; how many blocks are free. */
  int census(int[] held) {
    int free = 0;
    for (int block = 0; block < layout.blocks(); block++) {
      long word = words.get(PoolLayout.stateWord(block));
      free += freeAt(word, block % ALL);
      if (BlockWord.state(word) == BlockWord.OWNED && BlockWord.isHead(word, block % ALL)) {
        held[BlockWord.participant(word)] += BlockWord.blocks(word);
      }
    }
    return free;
  }

  int damagedBlocks() {
    int damaged = 0;
    for (int block = 0; block < layout.blocks(); block++) {
      damaged += isDamaged(block / ALL, block % ALL) ? 1 : 0;
    }
    return damaged;
  }

  /**
   * Whether a word is none that a pool writes, or that of a tail under a head that does not cover
   * it. A head outlives its tails, so a tail that has not changed while its head was read tells.
   */
  private boolean isDamaged(int zone, int place) {
    long word = word(zone, place);
    if (BlockWord.isFree(word) || BlockWord.isHead(word, place)) {
      return false;
    }
    int first = BlockWord.head(word);
    if (first >= place || !BlockWord.isTailOf(word, first)) {
      return true;
    }
    long head = word(zone, first);
    int state = BlockWord.state(head);
    boolean whole = state == BlockWord.OWNED || state == BlockWord.RESTING;
    int blocks = whole ? BlockWord.blocks(head) : ALL;
    boolean covered = BlockWord.isHead(head, first) && place < first + blocks;
    return !covered && word(zone, place) == word;
  }

  /** Who holds a block, in words. */
  String owner(int block) {
    return BlockWord.owner(words.get(PoolLayout.stateWord(block)), block % ALL);
  }

  private long word(int zone, int place) {
    return words.get(PoolLayout.stateWord(zone * ALL + place));
  }

  private boolean replace(int block, long expected, long word) {
    return words.replace(PoolLayout.stateWord(block), expected, word);
  }

  /** The blocks that are used, and {@link #RESTS} if some of them rest. */
  private long usedByWords(int zone) {
    long used = 0;
    for (int i = 0; i < ALL; i++) {
      long word = word(zone, i);
      used |= BlockWord.isFree(word) ? 0 : 1L << i;
      used |= BlockWord.isResting(word, i) ? RESTS : 0;
    }
    return used;
  }
}

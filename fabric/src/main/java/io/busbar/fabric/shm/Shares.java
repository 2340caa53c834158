package io.busbar.fabric.shm;

import io.busbar.memory.Pool;

/**
 * How much of our pool each peer may hold: as much as is free. So one that takes nothing gets half
 * of the pool, the next one a quarter, and some is left for others.
 *
 * <p>Who frees a buffer tells nobody. What we gave since the words were last counted is known, and
 * what came back is not, so a yes needs no look at the words, and before a no they are counted
 * again.
 */
final class Shares {
  /** While a peer waits for room, the words are counted for it once in so many tries. */
  private static final int TRIES_PER_COUNT = 64;

  private final Pool pool;
  private final int[] held = new int[Pool.PARTICIPANTS_MAX + 1];
  private int free;
  private int tries;

  Shares(Pool pool) {
    this.pool = pool;
    this.free = pool.layout().blocks();
  }

  /** Whether a participant may have a buffer of so many bytes more. */
  boolean allows(int participant, int bytes) {
    int blocks = pool.layout().blocksOf(bytes);
    if (fits(participant, blocks)) {
      return true;
    }
    if (tries++ % TRIES_PER_COUNT != 0) {
      return false;
    }
    free = pool.census(held);
    boolean allowed = fits(participant, blocks);
    tries = allowed ? 0 : tries;
    return allowed;
  }

  private boolean fits(int participant, int blocks) {
    return held[participant] + blocks <= free;
  }

  /** A participant was given a buffer of so many bytes. */
  void gave(int participant, int bytes) {
    int blocks = pool.layout().blocksOf(bytes);
    held[participant] += blocks;
    free -= blocks;
  }

  /** Who sleeps until there is room was woken, or is about to sleep: the next no is counted. */
  void lookAgain() {
    tries = 0;
  }
}

package io.busbar.fabric.socket;

import io.busbar.fabric.Nic;
import io.busbar.fabric.NicCount;
import io.busbar.fabric.NicCounters;

/**
 * Which chunks of receive memory are kept by those above. There are spare ones, as many as may be
 * kept at one time: one with claims leaves its place to a spare one, and becomes one when the last
 * claim is released; the one that came last is used first, while it is warm.
 *
 * <p>The name of a frame is its chunk and the chunk's generation, which moves on whenever its bytes
 * may be overwritten: an old name opens nothing.
 */
public final class ChunkClaims {
  private static final int GENERATION_MAX = (1 << (Nic.NAME_BITS - 32)) - 1;

  private final NicCounters counters;
  private final int claimsMax;
  private final int[] claims;
  private final int[] generations;
  private final boolean[] away;
  private final int[] spares;
  private int spareCount;
  private int claimed;

  /**
   * Over all chunks.
   *
   * @param used chunks that are in use from the start, the first ones; those behind them are spare
   * @param claimsMax how many are spare, and may be kept
   */
  public ChunkClaims(int used, int claimsMax, NicCounters counters) {
    this.counters = counters;
    this.claimsMax = claimsMax;
    int count = used + claimsMax;
    this.claims = new int[count];
    this.generations = new int[count];
    this.away = new boolean[count];
    this.spares = new int[claimsMax];
    for (int chunk = count - 1; chunk >= used; chunk--) {
      spares[spareCount++] = chunk;
    }
  }

  /** How many chunks there are. */
  public int chunks() {
    return claims.length;
  }

  /** The name of the frames in a chunk. */
  public long name(int chunk) {
    return ((long) generations[chunk] << 32) | chunk;
  }

  /** All frames of a chunk were handed up: the chunk that takes its place, itself if not kept. */
  public int retire(int chunk) {
    if (claims[chunk] == 0) {
      turn(chunk);
      return chunk;
    }
    away[chunk] = true;
    return spares[--spareCount];
  }

  private void turn(int chunk) {
    generations[chunk] = (generations[chunk] + 1) & GENERATION_MAX;
  }

  /** Keeps the chunk of a frame; false when the quota is spent. */
  public boolean claim(long name) {
    int chunk = (int) name;
    if (claims[chunk] == 0) {
      if (claimed == claimsMax) {
        counters.add(NicCount.CLAIMS_REFUSED);
        return false;
      }
      claimed++;
    }
    claims[chunk]++;
    counters.add(NicCount.CLAIMED);
    return true;
  }

  /** Whether the chunk of a frame has claims. */
  public boolean isKept(long name) {
    int chunk = (int) name;
    boolean known = chunk >= 0 && chunk < claims.length && generations[chunk] == name >>> 32;
    return known && claims[chunk] > 0;
  }

  /** Gives a claim back. */
  public void release(long name) {
    int chunk = (int) name;
    if (!isKept(name)) {
      throw new IllegalStateException("frame %x is not claimed (any more)".formatted(name));
    }
    claims[chunk]--;
    if (claims[chunk] == 0) {
      claimed--;
      if (away[chunk]) {
        away[chunk] = false;
        turn(chunk);
        spares[spareCount++] = chunk;
      }
    }
  }

  /** Chunks with claims. */
  public int claimed() {
    return claimed;
  }
}

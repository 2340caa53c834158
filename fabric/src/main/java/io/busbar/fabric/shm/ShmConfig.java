package io.busbar.fabric.shm;

import io.busbar.memory.PoolLayout;
import io.busbar.wire.RingSlot;

/**
 * How an interface in shared memory is made.
 *
 * @param directory where segments are: the same for all processes that shall meet
 * @param token the segment's name; 0 draws one. A given one is refused while a living process has
 *     it
 * @param pool the pool of the segment: its zone is the longest frame. More zones take more memory,
 *     which is reserved at once; larger blocks waste more for a short frame
 * @param ringBytes slots of each ring, a power of two: more lets a sender run further ahead, less
 *     stays in the cache
 * @param inlineBytesMax longer frames go by reference: a copy into the ring is cheaper than a
 *     buffer for a while, and takes room that short frames need
 * @param acrossBytesMin registered memory of at least this length is read straight by the receiver:
 *     one copy instead of two, for a system call
 * @param claimsMax frames that the user may keep
 * @param pinned whether the segment is locked in memory where the limit allows
 */
public record ShmConfig(
    String directory,
    long token,
    PoolLayout pool,
    int ringBytes,
    int inlineBytesMax,
    int acrossBytesMin,
    int claimsMax,
    boolean pinned) {
  private static final int RING_BYTES_MIN = 4 << 10;
  private static final int RING_BYTES_MAX = 64 << 20;

  /** A frame inside the ring takes at most this share, so that several are on their way. */
  private static final int INLINE_SHARE = 4;

  /** Refuses what cannot work. */
  public ShmConfig {
    check(!directory.isEmpty(), "a segment needs a directory");
    check(
        isRing(ringBytes),
        "a ring of %d bytes; allowed: a power of two from 4 KB to 64 MB".formatted(ringBytes));
    int inlineMax = ringBytes / INLINE_SHARE - RingSlot.WORD_BYTES;
    check(
        inlineBytesMax >= RingSlot.WORD_BYTES && inlineBytesMax <= inlineMax,
        "frames of %d bytes inside the ring; allowed: 8 to %d, a quarter of the ring"
            .formatted(inlineBytesMax, inlineMax));
    check(
        acrossBytesMin > inlineBytesMax,
        "reading across from %d bytes; allowed: more than the %d that go inside the ring"
            .formatted(acrossBytesMin, inlineBytesMax));
    check(claimsMax >= 0, "%d claims; allowed: 0 and more".formatted(claimsMax));
  }

  /** Whether a ring can have so many bytes. */
  static boolean isRing(int bytes) {
    boolean size = bytes >= RING_BYTES_MIN && bytes <= RING_BYTES_MAX;
    return size && Integer.bitCount(bytes) == 1;
  }

  private static void check(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }

  /** 8 MB of buffers in blocks of a page, rings of 256 KB, in the host's shared memory. */
  public static ShmConfig defaults() {
    return new ShmConfig(
        "/dev/shm", 0, PoolLayout.of(8 << 20, 4 << 10), 256 << 10, 2040, 32 << 10, 256, true);
  }

  /** The same in another directory. */
  public ShmConfig in(String otherDirectory) {
    return new ShmConfig(
        otherDirectory, token, pool, ringBytes, inlineBytesMax, acrossBytesMin, claimsMax, pinned);
  }

  /** The same with a name that is given. */
  public ShmConfig named(long otherToken) {
    return new ShmConfig(
        directory, otherToken, pool, ringBytes, inlineBytesMax, acrossBytesMin, claimsMax, pinned);
  }

  /** The same with another pool. */
  public ShmConfig with(PoolLayout otherPool) {
    return new ShmConfig(
        directory, token, otherPool, ringBytes, inlineBytesMax, acrossBytesMin, claimsMax, pinned);
  }
}

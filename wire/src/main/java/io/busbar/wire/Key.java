package io.busbar.wire;

import java.util.Locale;

/**
 * The name of an association's end: 24 bits of index, 16 of generation, 24 drawn from the
 * incarnation of the node that made it. The index finds the slot without hashing; the rest tells
 * whether the slot still means what the sender thinks.
 */
public final class Key {
  /** How many slots an index can name. */
  public static final int INDEX_LIMIT = 1 << 24;

  /** How many generations there are before they repeat. */
  public static final int GENERATION_LIMIT = 1 << 16;

  private Key() {}

  /** Composes a key. */
  public static long of(int index, int generation, long incarnation) {
    return (index & 0xFF_FFFFL)
        | (generation & 0xFFFFL) << 24
        | (long) Incarnation.keyBits(incarnation) << 40;
  }

  /** The slot. */
  public static int index(long key) {
    return (int) key & 0xFF_FFFF;
  }

  /** How often the slot had been used before. */
  public static int generation(long key) {
    return (int) (key >>> 24) & 0xFFFF;
  }

  /** The bits drawn from the maker's incarnation. */
  public static int incarnationBits(long key) {
    return (int) (key >>> 40);
  }

  /** The key as traces print it: index, generation, incarnation bits. */
  public static String text(long key) {
    return String.format(
        Locale.ROOT, "%d.%d.%06x", index(key), generation(key), incarnationBits(key));
  }
}

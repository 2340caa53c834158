package io.busbar.memory;

/** The words of a pool that processes share; every store of the pool goes through here. */
interface Words {
  /** Reads a word; later reads see nothing older. */
  long get(long index);

  /** Replaces a word if it is as expected; a full fence. */
  boolean replace(long index, long expected, long word);

  /** Sets a hint; nobody relies on it. */
  void hint(long index, long word);
}

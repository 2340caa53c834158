package io.busbar.bench.broadcast;

/** One process of a broadcast: the one who speaks, of rank 0, or one of those who hear. */
interface Voice extends AutoCloseable {
  /** Finds the others, and returns when all are there. */
  void join() throws Exception;

  /** Says so many messages to all, and returns when all have said that they have them. */
  void send(int count, int bytes) throws Exception;

  /** Is told how many will come, before the first of them is sent. */
  void expect(int count);

  /** Returns when all have come, and the one who speaks was told. */
  void take() throws Exception;

  /** Waits until somebody is held to be dead; for one second less than a minute. */
  default void awaitDeath() throws Exception {
    throw new UnsupportedOperationException("nobody looks whether others live");
  }

  /** What was counted so far, as {@code name value} in turn; empty when nothing is. */
  default String counted() {
    return "";
  }

  @Override
  void close();
}

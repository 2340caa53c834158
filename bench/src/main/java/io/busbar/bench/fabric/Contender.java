package io.busbar.bench.fabric;

/**
 * A way to move bytes between two processes, each of which holds one end. Both ends are told to do
 * the two sides of one run; all of them poll, and none sleeps.
 */
interface Contender extends AutoCloseable {
  /** Where the other end finds this one, once it is open. */
  String address();

  /** Meets the other end; the asking end first, then the answering one. */
  void connect(String other);

  /** Sends so many messages, each after the answer to the former; notes each round trip. */
  void ask(int bytes, int count, long[] roundTripsNs);

  /** Answers so many messages with as many bytes. */
  void answer(int bytes, int count);

  /** Sends so many messages as fast as it can without a loss; returns when all have arrived. */
  void flood(int bytes, int count);

  /** Takes so many messages, and says when it has them. */
  void sink(int bytes, int count);

  @Override
  void close();
}

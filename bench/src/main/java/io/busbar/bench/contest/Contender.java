package io.busbar.bench.contest;

import java.util.Map;

/**
 * A way to move bytes between two processes, each of which holds one end. Both ends are told to do
 * the two sides of one run. All of them poll, except those whose name ends with {@code -sleep}; in
 * between, nothing of them runs but what the contender itself keeps running. What a contender is
 * not for it refuses.
 */
interface Contender extends AutoCloseable {
  /** Where the other end finds this one, once it is open. */
  String address();

  /** Meets the other end; both do so at the same time. */
  void connect(String other);

  /** Sends so many messages, each after the answer to the former; notes each round trip. */
  default void ask(int bytes, int count, long[] roundTripsNs) {
    throw refusal();
  }

  /** Answers so many messages with as many bytes. */
  default void answer(int bytes, int count) {
    throw refusal();
  }

  /** One turn of the loop of a program that waits until it has something to ask. */
  default void turn() {
    Thread.onSpinWait();
  }

  /** Sends so many messages as fast as it can without a loss; returns when all have arrived. */
  default void flood(int bytes, int count) {
    throw refusal();
  }

  /** Takes so many messages, and says when it has them. */
  default void sink(int bytes, int count) {
    throw refusal();
  }

  /** Sends questions and long messages when they are due; notes how late each answer was. */
  default void mix(Mix mix, long[] latenciesNs) {
    throw refusal();
  }

  /** Answers the questions and takes the long messages, and says when it has all of them. */
  default void takeMix(Mix mix) {
    throw refusal();
  }

  private UnsupportedOperationException refusal() {
    return new UnsupportedOperationException("%s does not do that".formatted(getClass()));
  }

  /** Lets time pass without traffic, as a program does that waits for nothing else. */
  default void rest(long ms) throws InterruptedException {
    Thread.sleep(ms);
  }

  /** What it has counted so far, by name; nothing if it does not count. */
  default Map<String, Long> counters() {
    return Map.of();
  }

  @Override
  void close();
}

package io.busbar.bench.crowd;

import java.io.IOException;

/** One process of a crowd: one of those who send, or the one who takes. All of them wait asleep. */
interface End extends AutoCloseable {
  /** Where the others find it. */
  String address();

  /** Meets them: the addresses of all, of the one who takes last. */
  void connect(String[] all) throws IOException, InterruptedException;

  /**
   * Sends questions, each after the answer to the former, for a time; then bids farewell and waits
   * until the one who takes has all that it waits for.
   *
   * @param roundTripsNs notes as many as it has room for
   * @return how many were noted
   */
  int ask(int bytes, long forNs, long[] roundTripsNs) throws IOException;

  /** Sends so many messages, and waits until the one who takes has all that it waits for. */
  void flood(int bytes, int count) throws IOException;

  /**
   * Answers questions of one size and takes messages of another one until the tally is complete;
   * then tells all.
   */
  void take(int askedBytes, int bytes, Tally tally) throws IOException;

  @Override
  void close();
}

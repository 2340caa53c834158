package io.busbar.bench.path;

import java.io.IOException;

/** One end of a system: sends a byte and waits for its answer, or waits and answers. */
interface End extends AutoCloseable {
  /** Where the other end finds this one. */
  String address() throws IOException;

  /** Meets the other end; both do so at the same time. */
  void connect(String other) throws IOException, InterruptedException;

  /** Sends so many messages, each after the answer to the former; notes each round trip. */
  void ask(Stamps stamps, long[] roundTripsNs, long pauseNs) throws IOException;

  /** Answers so many. */
  void answer(Stamps stamps, int count) throws IOException;

  @Override
  void close() throws IOException;
}

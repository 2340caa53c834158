package io.busbar.bench.contest;

/** Round trips of who sends a message whole, and then waits until one has come. */
abstract class InTurns implements Contender {
  /** Sends so many bytes, in as many frames as that takes. */
  abstract void send(int bytes);

  /** Returns when so many bytes have come. */
  abstract void receive(int bytes);

  @Override
  public void ask(int bytes, int count, long[] roundTripsNs) {
    for (int i = 0; i < count; i++) {
      long start = System.nanoTime();
      send(bytes);
      receive(bytes);
      roundTripsNs[i] = System.nanoTime() - start;
    }
  }

  @Override
  public void answer(int bytes, int count) {
    for (int i = 0; i < count; i++) {
      receive(bytes);
      send(bytes);
    }
  }
}

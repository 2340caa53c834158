package io.busbar.bench.contest;

/** The floor of rest: a JVM that has nothing to do. */
final class Nothing implements Contender {
  @Override
  public String address() {
    return "-";
  }

  @Override
  public void connect(String other) {}

  @Override
  public void ask(int bytes, int count, long[] roundTripsNs) {
    throw new UnsupportedOperationException("nothing moves no bytes");
  }

  @Override
  public void answer(int bytes, int count) {
    throw new UnsupportedOperationException("nothing moves no bytes");
  }

  @Override
  public void flood(int bytes, int count) {
    throw new UnsupportedOperationException("nothing moves no bytes");
  }

  @Override
  public void sink(int bytes, int count) {
    throw new UnsupportedOperationException("nothing moves no bytes");
  }

  @Override
  public void close() {}
}

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
  public void close() {}
}

package io.busbar.lab.mpi;

/** A message that a program has begun to send. */
final class Letter {
  final long flow;
  final int tag;
  final int length;

  /** How many of its sender, to the same receiver and with the same tag, came before it. */
  final int before;

  /** Whether a receive has got it. */
  boolean taken;

  /** Whether its sender has called it back, so that nobody may have it. */
  boolean calledBack;

  Letter(long flow, int tag, int length, int before) {
    this.flow = flow;
    this.tag = tag;
    this.length = length;
    this.before = before;
  }

  @Override
  public String toString() {
    return "letter %d with tag %d and %d bytes".formatted(flow, tag, length);
  }
}

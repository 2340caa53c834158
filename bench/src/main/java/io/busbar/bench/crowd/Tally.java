package io.busbar.bench.crowd;

import java.util.function.LongSupplier;

/** What has come to the one who takes, and from whom. */
final class Tally {
  private final LongSupplier clockNs;
  private final long[] counts;
  private final long each;
  private long left;
  private int farewells;
  private long beganNs;
  private long firstDoneNs;
  private long lastDoneNs;

  /**
   * Nothing yet.
   *
   * @param members how many there are
   * @param floods how many of them send messages
   * @param each how many messages each of those sends
   * @param farewells of those who ask
   * @param clockNs what time it is
   */
  Tally(int members, int floods, long each, int farewells, LongSupplier clockNs) {
    this.clockNs = clockNs;
    this.counts = new long[members];
    this.each = each;
    this.left = floods * each;
    this.farewells = farewells;
  }

  void onMessage(int from) {
    if (beganNs == 0) {
      beganNs = clockNs.getAsLong();
    }
    left--;
    if (++counts[from] == each) {
      lastDoneNs = clockNs.getAsLong();
      firstDoneNs = firstDoneNs == 0 ? lastDoneNs : firstDoneNs;
    }
  }

  void onFarewell() {
    farewells--;
  }

  boolean isComplete() {
    return left <= 0 && farewells <= 0;
  }

  /** The time until one sender had sent all of its own over that of the last one, in percent. */
  long fairPercent() {
    return 100 * (firstDoneNs - beganNs + 1) / (lastDoneNs - beganNs + 1);
  }
}

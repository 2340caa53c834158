package io.busbar.transport;

/** One number for each {@link Count}. */
public final class Counters {
  private final long[] values = new long[Count.values().length];

  Counters() {}

  void add(Count count) {
    values[count.slot]++;
  }

  void add(Count count, long amount) {
    values[count.slot] += amount;
  }

  /** How often it happened. */
  public long get(Count count) {
    return values[count.slot];
  }

  /** The sum over everything that was dropped. */
  public long dropped() {
    long sum = 0;
    for (Count count : Count.values()) {
      sum += count.name().startsWith("DROP_") ? get(count) : 0;
    }
    return sum;
  }

  /** The counts that are not zero, for reports. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (Count count : Count.values()) {
      if (get(count) != 0) {
        text.append(text.isEmpty() ? "" : " ").append(count).append('=').append(get(count));
      }
    }
    return text.toString();
  }
}

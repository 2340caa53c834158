package io.busbar.fabric;

/** One number for each {@link NicCount}. */
public final class NicCounters {
  private final long[] values = new long[NicCount.values().length];

  /** All at zero. */
  public NicCounters() {}

  /** Counts one. */
  public void add(NicCount count) {
    values[count.slot]++;
  }

  /** Counts several. */
  public void add(NicCount count, long amount) {
    values[count.slot] += amount;
  }

  /** How often it happened. */
  public long get(NicCount count) {
    return values[count.slot];
  }

  /** The counts that are not zero, for reports. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (NicCount count : NicCount.values()) {
      if (get(count) != 0) {
        text.append(text.isEmpty() ? "" : " ").append(count).append('=').append(get(count));
      }
    }
    return text.toString();
  }
}

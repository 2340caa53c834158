package io.busbar.bench.contest;

/**
 * How long a comparison takes.
 *
 * @param warmUpNs for each system, before the first round, at least: it goes on until it makes
 *     nothing faster any more
 * @param warmUpMaxNs but no longer
 * @param runNs one run of one system in one round: longer ones see more of the machine's moods
 * @param rounds that count: more make the interval of a ratio narrower
 */
public record Effort(long warmUpNs, long warmUpMaxNs, long runNs, int rounds) {
  private static final long RUN_NS = 60_000_000;

  /** A warm-up that does not become steady ends after so many times its shortest time. */
  private static final int WARM_UP_MAX = 6;

  /** Refuses what cannot work. */
  public Effort {
    if (warmUpNs < 0 || warmUpMaxNs < warmUpNs || runNs < 1 || rounds < 1) {
      throw new IllegalArgumentException(
          "warm-up %d to %d ns, run %d ns, %d rounds; allowed: 0, as much, 1 and 1 at least"
              .formatted(warmUpNs, warmUpMaxNs, runNs, rounds));
    }
  }

  /** One whose warm-ups may take some times as long as they take at least. */
  public Effort(long warmUpNs, long runNs, int rounds) {
    this(warmUpNs, WARM_UP_MAX * warmUpNs, runNs, rounds);
  }

  /** For a figure with an aim. */
  public static Effort of(boolean quick) {
    return quick
        ? new Effort(1_200_000_000L, 5_400_000_000L, RUN_NS, 7)
        : new Effort(3_000_000_000L, RUN_NS, 25);
  }

  /** For systems of little code, which is warm soon. */
  public static Effort ofLittle(boolean quick) {
    return quick ? new Effort(1_000_000_000L, 4_000_000_000L, RUN_NS, 7) : of(false);
  }

  /** For a figure of many systems: a quick run is bounded by how long each of them warms up. */
  public static Effort ofMany(boolean quick) {
    return quick ? new Effort(400_000_000L, 1_200_000_000L, RUN_NS, 7) : of(false);
  }

  /** When another size has warmed the code up already. */
  public Effort warm() {
    return new Effort(warmUpNs / 5, warmUpMaxNs / 4, runNs, rounds);
  }

  /** For one of many sizes, when the code is warm already. */
  public Effort brief() {
    return new Effort(warmUpNs / 5, warmUpMaxNs / 5, runNs / 2, Math.ceilDiv(rounds, 2));
  }
}

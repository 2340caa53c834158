package io.busbar.lab.stack;

import java.util.SplittableRandom;

/**
 * How the processes of a run use their time.
 *
 * @param useNs what one use of a place costs
 * @param sliceNs uses add up to so much before time passes for them
 * @param preemptedEvery one use of so many takes long, because others have the processor
 * @param preemptedNsMax how long, at most
 * @param caretakerNsMax the longest time until the caretaker notices that nobody drives
 * @param pollFrames frames taken from the interface in one round
 * @param probeNs after such a silence a peer is asked whether it lives
 * @param claimsMax frames that may be kept where they came
 */
public record Habits(
    long useNs,
    long sliceNs,
    int preemptedEvery,
    long preemptedNsMax,
    long caretakerNsMax,
    int pollFrames,
    long probeNs,
    int claimsMax) {
  /** Nobody is asked. */
  static final long NO_PROBES = Long.MAX_VALUE / 4;

  private static final long PROBE_NS_MIN = 3_000_000_000L;
  private static final int CARETAKER_NS_MIN = 100_000;
  private static final int CARETAKER_NS_MAX = 10_000_000;

  /** Draws them; in most runs nobody is asked whether it lives. */
  public static Habits draw(SplittableRandom random) {
    return new Habits(
        20 + random.nextInt(2_000),
        random.nextInt(20_000),
        50 + random.nextInt(1_000),
        1 + random.nextInt(random.nextInt(4) == 0 ? 20_000_000 : 200_000),
        CARETAKER_NS_MIN + random.nextInt(CARETAKER_NS_MAX - CARETAKER_NS_MIN),
        1 + random.nextInt(64),
        random.nextInt(3) == 0 ? PROBE_NS_MIN + random.nextLong(PROBE_NS_MIN) : NO_PROBES,
        random.nextInt(3) == 0 ? 0 : random.nextInt(64));
  }

  /** The same, and who is silent is asked whether it lives, as nodes do. */
  public Habits withProbes(SplittableRandom random) {
    return new Habits(
        useNs,
        sliceNs,
        preemptedEvery,
        preemptedNsMax,
        caretakerNsMax,
        pollFrames,
        PROBE_NS_MIN + random.nextLong(PROBE_NS_MIN),
        claimsMax);
  }

  /** Frames that probes explain, of so many lanes and within a time. */
  long probes(long lanes, long ns) {
    return probeNs == NO_PROBES ? 0 : 6 * lanes * (1 + ns / probeNs);
  }

  /** How long it may take until a silent peer is found out, if anybody asks. */
  long lossNs(long silenceNs) {
    return probeNs == NO_PROBES ? 0 : 2 * probeNs + silenceNs;
  }

  /** What peers are told of it. */
  int ackDelayUs() {
    return (int) (caretakerNsMax / 1000);
  }
}

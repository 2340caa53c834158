package io.busbar.bench.contest;

import io.busbar.bench.Rounds;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One thing that the systems of a contest do in turns, warm before it counts. */
final class Comparison {
  /** The first runs of a system, from which its count is guessed. */
  private static final int COUNT_MIN = 64;

  static final int WARM_UP_ROUNDS = 2;

  /** A run of a warm-up that takes less than this share of the best one has made progress. */
  private static final double BETTER = 0.97;

  private static final int STEADY_RUNS = 5;

  private final Contest contest;
  private final Way way;
  private final Worth worth;
  private final Map<String, List<Double>> tails = new LinkedHashMap<>();
  private final Map<String, List<Double>> farTails = new LinkedHashMap<>();
  private final Map<String, Double> allocated = new LinkedHashMap<>();

  /** Whether the last run of a warm-up found its code compiled. */
  private boolean ready;

  Comparison(Contest contest, Way way, Worth worth) {
    this.contest = contest;
    this.way = way;
    this.worth = worth;
  }

  Outcome run(Map<String, Integer> sizes, String what, Effort effort) {
    Rounds rounds = new Rounds();
    long n = 0;
    int first = 0;
    for (Map.Entry<String, Integer> each : sizes.entrySet()) {
      String system = each.getKey();
      int bytes = each.getValue();
      if (n == 0) {
        contest.report.progress("%s, %s of %d bytes".formatted(contest.scene.name(), what, bytes));
        first = bytes;
      }
      int count = countFor(system, bytes, effort);
      n = n == 0 ? count : n;
      rounds.system(
          system,
          () -> contest.attempt(system, stations -> measure(system, stations, bytes, count)));
    }
    rounds.run(WARM_UP_ROUNDS, effort.rounds());
    return new Outcome(
        contest.bench,
        contest.scene.name(),
        first,
        rounds,
        medians(tails),
        medians(farTails),
        allocated,
        n);
  }

  /** So many messages, of whatever takes its time, after so many runs to warm up at most. */
  Outcome run(int bytes, int count, int warmUps, int times) {
    Rounds rounds = new Rounds();
    for (String system : contest.systems()) {
      ready = false;
      for (int i = 0; i < warmUps && !ready; i++) {
        double _ = contest.attempt(system, stations -> warmUp(stations, bytes, count));
      }
      rounds.system(
          system,
          () -> contest.attempt(system, stations -> measure(system, stations, bytes, count)));
    }
    rounds.run(Math.min(warmUps, WARM_UP_ROUNDS), times);
    return new Outcome(
        contest.bench,
        contest.scene.name(),
        bytes,
        rounds,
        medians(tails),
        medians(farTails),
        allocated,
        count);
  }

  private static Map<String, Double> medians(Map<String, List<Double>> all) {
    Map<String, Double> medians = new LinkedHashMap<>();
    all.forEach((system, values) -> medians.put(system, Rounds.median(values)));
    return medians;
  }

  private double measure(String system, Stations stations, int bytes, int count) {
    contest.quiet.await();
    Stations.Run run = crossing(system, stations, bytes, count);
    tails.computeIfAbsent(system, _ -> new ArrayList<>()).add(run.p99Ns() / 1e3);
    farTails.computeIfAbsent(system, _ -> new ArrayList<>()).add(run.p999Ns() / 1e3);
    allocated.merge(system, (double) run.allocatedBytes() / count, Math::min);
    return worth.of(run, count);
  }

  /** A system that says it crossed a cable did. */
  private Stations.Run crossing(String system, Stations stations, int bytes, int count) {
    long before = contest.sentBytes(system);
    Stations.Run run = way.run(stations, bytes, count);
    long sent = contest.sentBytes(system) - before;
    if (contest.scene.isBetweenHosts() && sent < (long) bytes * count) {
      throw new IllegalStateException(
          "%d messages of %d bytes put %d bytes on the cable".formatted(count, bytes, sent));
    }
    return run;
  }

  /**
   * As many as take about one run's time. The runs until then warm the code up: they go on until
   * some of them in a row were no better than those before and gave the compilers nothing to do,
   * within a bound; after each the compilers get the cores until they are done, for two ends that
   * spin leave them none.
   */
  private int countFor(String system, int bytes, Effort effort) {
    long startNs = System.nanoTime();
    long count = COUNT_MIN;
    double bestNs = Double.MAX_VALUE;
    int steady = 0;
    while (true) {
      int now = (int) count;
      double tookNs = contest.attempt(system, stations -> warmUp(stations, bytes, now));
      if (Double.isNaN(tookNs)) {
        return COUNT_MIN;
      }
      if (tookNs < effort.runNs() / 2.0) {
        count *= 2;
        continue;
      }
      boolean progress = tookNs / count < BETTER * bestNs || !ready;
      steady = progress ? 0 : steady + 1;
      bestNs = Math.min(bestNs, tookNs / count);
      long passedNs = System.nanoTime() - startNs;
      boolean warm = steady >= STEADY_RUNS || passedNs >= effort.warmUpMaxNs();
      if (warm && passedNs >= effort.warmUpNs()) {
        return (int) Math.max(COUNT_MIN, count * effort.runNs() / tookNs);
      }
    }
  }

  private double warmUp(Stations stations, int bytes, int count) {
    Stations.Run run = way.run(stations, bytes, count);
    ready = run.wasReady();
    stations.settle();
    return run.tookNs();
  }

  /** A way to let a system move so many messages. */
  interface Way {
    Stations.Run run(Stations stations, int bytes, int count);
  }

  /** What a run of so many messages is worth. */
  interface Worth {
    double of(Stations.Run run, int count);
  }
}

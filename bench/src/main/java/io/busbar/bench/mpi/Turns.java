package io.busbar.bench.mpi;

import io.busbar.bench.Bench;
import io.busbar.bench.Rounds;
import io.busbar.bench.contest.Contest;
import io.busbar.bench.contest.Effort;
import io.busbar.bench.contest.Quiet;
import io.busbar.lab.bed.TestBedException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** Crews that do the same in turns, each warm before it counts. The first one is Busbar's. */
final class Turns implements AutoCloseable {
  static final String BUSBAR = "busbar";
  static final String OPEN_MPI = "open-mpi";

  private static final int COUNT_MIN = 4;
  private static final int WARM_UP_ROUNDS = 1;

  /** A run of a warm-up that takes less than this share of the best one has made progress. */
  private static final double BETTER = 0.97;

  /** The part of a warm-up, counted from its beginning, in which nothing has become better. */
  private static final int STEADY_PART = 3;

  private final Bench.Report report;
  private final String scene;
  private final boolean crosses;
  private final Quiet quiet;
  private final Map<String, Crew> crews = new LinkedHashMap<>();

  /**
   * What was measured.
   *
   * @param rounds microseconds of one call, or seconds of all, by system
   * @param n how many calls one run of Busbar's was
   * @param allocatedBytes of Busbar's rank that allocated most, a call, in the best round
   */
  record Measured(Rounds rounds, int n, double allocatedBytes) {}

  /**
   * Without a crew yet.
   *
   * @param crosses whether ranks are on hosts of their own, so that what they say is on a cable
   * @param quiet asked before each run that counts
   */
  Turns(Bench.Report report, String scene, boolean crosses, Quiet quiet) {
    this.report = report;
    this.scene = scene;
    this.crosses = crosses;
    this.quiet = quiet;
  }

  void enter(Crew ours) {
    crews.put(BUSBAR, ours);
  }

  /** One that a machine may lack. */
  void enterPeer(String system, Supplier<Crew> opening) {
    try {
      crews.put(system, opening.get());
    } catch (TestBedException | IllegalStateException e) {
      report.missing(system, "%s: %s".formatted(scene, Contest.why(e)));
    }
  }

  /** A call, so often as it takes to measure it: in microseconds. */
  Measured calls(Task task, Effort effort) {
    tellProgress(task);
    Map<String, Task> tasks = new LinkedHashMap<>();
    for (String system : crews.keySet().toArray(String[]::new)) {
      tasks.put(system, task.times(countFor(system, task, effort)));
    }
    return measure(tasks, WARM_UP_ROUNDS, effort.rounds(), 1e3);
  }

  /** The whole of a task, in seconds; after so many runs that do not count at most. */
  Measured wholes(Task task, int warmUps, int times) {
    tellProgress(task);
    Map<String, Task> tasks = new LinkedHashMap<>();
    for (String system : crews.keySet().toArray(String[]::new)) {
      boolean ready = false;
      for (int i = 0; i < warmUps && !ready; i++) {
        ready = warmUp(system, task).wasReady();
      }
      tasks.put(system, task);
    }
    return measure(tasks, 0, times, 1e9 / task.count());
  }

  private void tellProgress(Task task) {
    report.progress(
        "%s, %s of %d bytes by %d ranks"
            .formatted(scene, task.what().word, task.bytes(), task.ranks()));
  }

  private Measured measure(Map<String, Task> tasks, int warmUps, int times, double nsPerUnit) {
    Rounds rounds = new Rounds();
    double[] allocated = {Double.MAX_VALUE};
    tasks.forEach(
        (system, task) ->
            rounds.system(
                system,
                () ->
                    attempt(
                        system,
                        crew -> {
                          quiet.await();
                          Did did = crossing(crew, task);
                          if (system.equals(BUSBAR)) {
                            double each = (double) did.allocatedBytes() / task.count();
                            allocated[0] = Math.min(allocated[0], each);
                          }
                          return did.tookNs() / (nsPerUnit * task.count());
                        })));
    Task ours = tasks.get(BUSBAR);
    int n = ours == null ? 1 : ours.count();
    return new Measured(rounds.run(warmUps, times), n, allocated[0]);
  }

  /** A crew that says it crossed a cable did: rank 0 sends its share of all at least. */
  private Did crossing(Crew crew, Task task) {
    long before = crew.sentBytes();
    Did did = crew.run(task);
    long sent = crew.sentBytes() - before;
    if (crosses && sent < (long) task.bytes() * task.count() / task.ranks()) {
      throw new IllegalStateException(
          "'%s' put %d bytes on the cable".formatted(task.line(), sent));
    }
    return did;
  }

  /** As many as take about one run's time; the runs until then warm the code up. */
  private int countFor(String system, Task task, Effort effort) {
    long startNs = System.nanoTime();
    long count = COUNT_MIN;
    double bestNs = Double.MAX_VALUE;
    long betterNs = 0;
    while (crews.containsKey(system)) {
      Did did = warmUp(system, task.times((int) count));
      if (did.tookNs() < effort.runNs() / 2) {
        count *= 2;
        continue;
      }
      double eachNs = (double) did.tookNs() / count;
      long passedNs = System.nanoTime() - startNs;
      betterNs = eachNs < BETTER * bestNs || !did.wasReady() ? passedNs : betterNs;
      bestNs = Math.min(bestNs, eachNs);
      boolean steady = passedNs - betterNs >= passedNs / STEADY_PART;
      boolean warm = steady || passedNs >= effort.warmUpMaxNs();
      if (warm && passedNs >= effort.warmUpNs()) {
        return (int) Math.max(COUNT_MIN, effort.runNs() / eachNs);
      }
    }
    return COUNT_MIN;
  }

  /** No time at all when the crew is gone. */
  private Did warmUp(String system, Task task) {
    Did[] did = {new Did(0, 0, 0)};
    double _ =
        attempt(
            system,
            crew -> {
              did[0] = crew.run(task);
              crew.settle();
              return 0;
            });
    return did[0];
  }

  /** Does something with a crew; a peer that fails is missing from then on. */
  private double attempt(String system, ToDoubleFunction<Crew> action) {
    Crew crew = crews.get(system);
    if (crew == null) {
      return Double.NaN;
    }
    try {
      return action.applyAsDouble(crew);
    } catch (TestBedException | IllegalStateException e) {
      if (system.equals(BUSBAR)) {
        throw e;
      }
      crews.remove(system);
      crew.close();
      report.missing(system, "%s: %s".formatted(scene, Contest.why(e)));
      return Double.NaN;
    }
  }

  @Override
  public void close() {
    crews.values().forEach(Crew::close);
    if (!quiet.words().isEmpty()) {
      report.note(scene, quiet.words());
    }
  }
}

package io.busbar.bench.contest;

import io.busbar.bench.Bench;
import io.busbar.bench.Rounds;
import io.busbar.lab.bed.Host;
import io.busbar.lab.bed.HostProcess;
import io.busbar.lab.bed.TestBedException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Systems that do the same between the same two places, measured in turns. Each has two processes
 * of its own, which wait without spinning while another one is measured. The system that is named
 * first is the one whose ratios to the others are taken.
 */
public final class Contest implements AutoCloseable {
  /** The first runs of a system, from which its count is guessed. */
  private static final int COUNT_MIN = 64;

  private static final int WARM_UP_ROUNDS = 2;

  /** A run of a warm-up that takes less than this share of the best one has made progress. */
  private static final double BETTER = 0.97;

  private static final int STEADY_RUNS = 5;

  /** Enough for the compilers to take notice of what is done once a wake. */
  private static final int NAPS = 300;

  private static final int FIXED_WARM_UPS = 8;

  /** How long a contest may wait for others to end their work. */
  private static final long QUIET_NS = 300_000_000_000L;

  private static final long QUIET_QUICK_NS = 8_000_000_000L;

  private final String bench;
  private final Bench.Report report;
  private final Scene scene;
  private final Folder folder = Folder.inMemory();
  private final Folder programs = Folder.forPrograms();
  private final Quiet quiet;
  private final Map<String, Entrant> entrants = new LinkedHashMap<>();

  /** A system, until it fails. */
  private static final class Entrant {
    final String contender;
    @Nullable Stations stations;

    Entrant(String contender) {
      this.contender = contender;
    }
  }

  /** A contest without a system yet. */
  public Contest(Bench bench, Bench.Report report, Scene scene, boolean quick) {
    this(bench, report, scene, new Quiet(quick ? QUIET_QUICK_NS : QUIET_NS));
  }

  /** One that does not wait for others to end their work: to see that systems run. */
  public static Contest trial(Bench bench, Bench.Report report, Scene scene) {
    return new Contest(bench, report, scene, new Quiet(0));
  }

  Contest(Bench bench, Bench.Report report, Scene scene, Quiet quiet) {
    this.bench = bench.name();
    this.report = report;
    this.scene = scene;
    this.quiet = quiet;
  }

  /** How those peers are set up whose setup is the same in all experiments, by system. */
  public static Map<String, String> setups(boolean betweenHosts) {
    Map<String, String> setups = new LinkedHashMap<>();
    setups.put(
        "netty-epoll",
        "TCP over epoll; one event loop, which polls while a run lasts and does all of it; no"
            + " checks of bounds; floods are flushed 64 messages at a time");
    setups.put(
        "jgroups",
        "TCP, UNICAST3, UFC; round trips in the receiver's upcall and not bundled; floods bundled");
    setups.put("open-mpi", MpiJob.OPEN.setup(betweenHosts));
    setups.put("mpich", MpiJob.MPICH.setup(betweenHosts));
    setups.put("mpj-express", "Debian's libmpj-java, niodev; standard sends");
    return setups;
  }

  /** The {@code case} of its figures. */
  public String scene() {
    return scene.name();
  }

  /** Starts both ends of a system; {@link #connect} joins them. */
  public Contest enter(String system, String contender) {
    Entrant entrant = new Entrant(contender);
    entrants.put(system, entrant);
    try {
      entrant.stations = start(contender);
    } catch (TestBedException | IllegalStateException e) {
      leave(system, entrant, e);
    }
    return this;
  }

  private Stations start(String contender) {
    Packages packages = new Packages(report.mayInstall(), report::progress);
    MpiJob mpi = Contenders.mpi(contender);
    if (mpi != null) {
      HostProcess job = mpi.start(scene, programs, packages);
      return new Stations(job, job);
    }
    Contenders.require(contender, packages);
    List<String> options = Contenders.options(contender);
    return new Stations(
        station(scene.asking(), options, contender, "ask", scene.askingAddress()),
        station(scene.answering(), options, contender, "answer", scene.answeringAddress()));
  }

  /** A system that may be missing is told of when it fails; any other one ends the contest. */
  private void leave(String system, Entrant entrant, RuntimeException why) {
    if (!Contenders.isOptional(entrant.contender)) {
      throw why;
    }
    Stations stations = entrant.stations;
    entrant.stations = null;
    if (stations != null) {
      stations.close();
    }
    report.missing(system, "%s in %s: %s".formatted(entrant.contender, scene.name(), why(why)));
  }

  private HostProcess station(
      Host host, List<String> options, String contender, String role, String address) {
    String frame = Integer.toString(scene.frameBytesMax());
    List<String> arguments = List.of(contender, role, address, frame, folder.toString());
    return host.java(options, Station.class, arguments);
  }

  /** Joins the ends of all systems that have entered. */
  public Contest connect() {
    entrants.forEach(
        (system, entrant) ->
            attempt(
                system,
                stations -> {
                  stations.connect();
                  return 0.0;
                }));
    return this;
  }

  /** The systems, the first one first. */
  public List<String> systems() {
    return List.copyOf(entrants.keySet());
  }

  /** Does something with a system; no number when it is missing. */
  private double attempt(String system, Function<Stations, Double> action) {
    Entrant entrant = entrants.get(system);
    if (entrant == null) {
      throw new IllegalArgumentException("no system " + system);
    }
    Stations stations = entrant.stations;
    if (stations == null) {
      return Double.NaN;
    }
    try {
      return action.apply(stations);
    } catch (TestBedException | IllegalStateException e) {
      leave(system, entrant, e);
      return Double.NaN;
    }
  }

  /** The first line that tells something, of all that a process said. */
  private static String why(RuntimeException e) {
    String said = String.valueOf(e.getMessage());
    return said.lines()
        .filter(line -> line.contains("Exception") || line.contains("Error"))
        .findFirst()
        .orElse(said.lines().findFirst().orElse(""))
        .strip();
  }

  /** Round trips: their median, in microseconds. */
  public Outcome roundTrips(List<String> systems, int bytes, Effort effort) {
    return roundTrips(same(systems, bytes), effort);
  }

  /** Round trips with a size for each system. */
  public Outcome roundTrips(Map<String, Integer> sizes, Effort effort) {
    return new Comparison(Stations::roundTrips, (run, count) -> run.p50Ns() / 1e3)
        .run(sizes, "round trips", effort);
  }

  /** Messages one way: how many a second. */
  public Outcome floods(List<String> systems, int bytes, Effort effort) {
    return new Comparison(Stations::flood, (run, count) -> count * 1e9 / run.tookNs())
        .run(same(systems, bytes), "messages", effort);
  }

  /** Questions beside long messages: the median latency, in microseconds; in so many rounds. */
  public Outcome mixes(Mix mix, int times) {
    report.progress("%s, a mix of %s".formatted(scene.name(), mix));
    Way way = (stations, bytes, count) -> stations.mix(mix);
    return new Comparison(way, (run, count) -> run.p50Ns() / 1e3)
        .run(mix.bytes(), mix.count(), FIXED_WARM_UPS, times);
  }

  /**
   * Questions at fixed times: the median from when they were due to their answers, in microseconds.
   * Round trips have warmed the code up before.
   */
  public Outcome paced(int bytes, int count, long everyNs, int times) {
    report.progress("%s, questions of %d bytes when due".formatted(scene.name(), bytes));
    Way way = (stations, each, n) -> stations.paced(each, n, everyNs);
    return new Comparison(way, (run, n) -> run.p50Ns() / 1e3).run(bytes, count, 0, times);
  }

  private static Map<String, Integer> same(List<String> systems, int bytes) {
    Map<String, Integer> sizes = new LinkedHashMap<>();
    systems.forEach(system -> sizes.put(system, bytes));
    return sizes;
  }

  /** A message after a second of silence: microseconds until its answer; each round is one try. */
  public Rounds wakes(List<String> systems, int bytes, int tries) {
    report.progress("%s, messages after a second of silence".formatted(scene.name()));
    Rounds rounds = new Rounds();
    for (String system : systems) {
      double _ = attempt(system, stations -> warmUpWakes(stations, bytes));
      rounds.system(
          system,
          () ->
              attempt(
                  system,
                  stations -> {
                    quiet.await();
                    return stations.wake(bytes).p50Ns() / 1e3;
                  }));
    }
    return rounds.run(WARM_UP_ROUNDS, tries);
  }

  private static double warmUpWakes(Stations stations, int bytes) {
    stations.naps(bytes, NAPS);
    stations.settle();
    return 0;
  }

  /** No traffic: the percentage of a core that a process uses; all systems rest at one time. */
  public Rounds rests(List<String> systems, int ms, int times) {
    report.progress("%s, no traffic".formatted(scene.name()));
    Rounds rounds = new Rounds();
    for (int i = -1; i < times; i++) {
      Map<String, Double> round = new LinkedHashMap<>();
      systems.forEach(system -> attempt(system, stations -> startRest(stations, ms)));
      systems.forEach(
          system -> round.put(system, attempt(system, stations -> stations.heard().cpuPercent())));
      if (i >= 0) { // the first one is the compiler's
        rounds.add(round);
      }
    }
    return rounds;
  }

  private static double startRest(Stations stations, int ms) {
    stations.startRest(ms);
    return 0;
  }

  /** How much a counter of a system has grown since it began; 0 when it has none such. */
  public long counter(String system, String name) {
    return (long)
        attempt(system, stations -> stations.counters().getOrDefault(name, 0L).doubleValue());
  }

  /** One thing that all systems do in turns. */
  private final class Comparison {
    private final Way way;
    private final Worth worth;
    private final Map<String, List<Double>> tails = new LinkedHashMap<>();
    private final Map<String, List<Double>> farTails = new LinkedHashMap<>();
    private final Map<String, Double> allocated = new LinkedHashMap<>();

    /** Whether the last run of a warm-up found its code compiled. */
    private boolean ready;

    Comparison(Way way, Worth worth) {
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
          report.progress("%s, %s of %d bytes".formatted(scene.name(), what, bytes));
          first = bytes;
        }
        int count = countFor(system, bytes, effort);
        n = n == 0 ? count : n;
        rounds.system(
            system, () -> attempt(system, stations -> measure(system, stations, bytes, count)));
      }
      rounds.run(WARM_UP_ROUNDS, effort.rounds());
      return new Outcome(
          bench, scene.name(), first, rounds, medians(tails), medians(farTails), allocated, n);
    }

    /** So many messages, of whatever takes its time, after so many runs to warm up at most. */
    Outcome run(int bytes, int count, int warmUps, int times) {
      Rounds rounds = new Rounds();
      for (String system : systems()) {
        ready = false;
        for (int i = 0; i < warmUps && !ready; i++) {
          double _ = attempt(system, stations -> warmUp(stations, bytes, count));
        }
        rounds.system(
            system, () -> attempt(system, stations -> measure(system, stations, bytes, count)));
      }
      rounds.run(Math.min(warmUps, WARM_UP_ROUNDS), times);
      return new Outcome(
          bench, scene.name(), bytes, rounds, medians(tails), medians(farTails), allocated, count);
    }

    private static Map<String, Double> medians(Map<String, List<Double>> all) {
      Map<String, Double> medians = new LinkedHashMap<>();
      all.forEach((system, values) -> medians.put(system, Rounds.median(values)));
      return medians;
    }

    private double measure(String system, Stations stations, int bytes, int count) {
      quiet.await();
      Stations.Run run = crossing(stations, bytes, count);
      tails.computeIfAbsent(system, _ -> new ArrayList<>()).add(run.p99Ns() / 1e3);
      farTails.computeIfAbsent(system, _ -> new ArrayList<>()).add(run.p999Ns() / 1e3);
      allocated.merge(system, (double) run.allocatedBytes() / count, Math::min);
      return worth.of(run, count);
    }

    /** A system that says it crossed a cable did. */
    private Stations.Run crossing(Stations stations, int bytes, int count) {
      long before = scene.asking().sentBytes();
      Stations.Run run = way.run(stations, bytes, count);
      long sent = scene.asking().sentBytes() - before;
      if (scene.isBetweenHosts() && sent < (long) bytes * count) {
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
        double tookNs = attempt(system, stations -> warmUp(stations, bytes, now));
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
  }

  /** A way to let a system move so many messages. */
  private interface Way {
    Stations.Run run(Stations stations, int bytes, int count);
  }

  /** What a run of so many messages is worth. */
  private interface Worth {
    double of(Stations.Run run, int count);
  }

  @Override
  public void close() {
    for (Entrant entrant : entrants.values()) {
      if (entrant.stations != null) {
        entrant.stations.close();
      }
    }
    folder.close();
    programs.close();
    if (!quiet.words().isEmpty()) {
      report.note(scene.name(), quiet.words());
    }
  }
}

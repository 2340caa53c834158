package io.busbar.bench.contest;

import io.busbar.bench.Bench;
import io.busbar.bench.Rounds;
import io.busbar.lab.bed.Host;
import io.busbar.lab.bed.HostProcess;
import io.busbar.lab.bed.Packages;
import io.busbar.lab.bed.TestBedException;
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
  /** Enough for the compilers to take notice of what is done once a wake. */
  private static final int NAPS = 300;

  private static final int FIXED_WARM_UPS = 8;

  final String bench;
  final Bench.Report report;
  final Scene scene;
  private final Folder folder = Folder.inMemory();
  private final Folder programs = Folder.forPrograms();
  final Quiet quiet;
  private final Map<String, Entrant> entrants = new LinkedHashMap<>();

  /** A system, until it fails. */
  private static final class Entrant {
    final String contender;
    final Scene scene;
    @Nullable Stations stations;

    Entrant(String contender, Scene scene) {
      this.contender = contender;
      this.scene = scene.onCable(Contenders.cable(contender));
    }
  }

  /** A contest without a system yet. */
  public Contest(Bench bench, Bench.Report report, Scene scene, boolean quick) {
    this(bench, report, scene, Quiet.of(quick));
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

  /** The {@code case} of its figures. */
  public String scene() {
    return scene.name();
  }

  /** Starts both ends of a system; {@link #connect} joins them. */
  public Contest enter(String system, String contender) {
    Entrant entrant = new Entrant(contender, scene);
    entrants.put(system, entrant);
    try {
      entrant.stations = start(contender, entrant.scene);
    } catch (TestBedException | IllegalStateException e) {
      leave(system, entrant, e);
    }
    return this;
  }

  private Stations start(String contender, Scene place) {
    Packages packages = new Packages(report.mayInstall(), report::progress);
    MpiJob mpi = Contenders.mpi(contender);
    if (mpi != null) {
      HostProcess job = mpi.start(place, programs, packages);
      return new Stations(job, job);
    }
    Contenders.require(contender, packages);
    List<String> options = Contenders.options(contender);
    return new Stations(
        station(place.asking(), options, contender, "ask", place.askingAddress()),
        station(place.answering(), options, contender, "answer", place.answeringAddress()));
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

  /** What the end of a system that asks has put on its cable so far. */
  long sentBytes(String system) {
    return entrant(system).scene.asking().sentBytes();
  }

  private Entrant entrant(String system) {
    Entrant entrant = entrants.get(system);
    if (entrant == null) {
      throw new IllegalArgumentException("no system " + system);
    }
    return entrant;
  }

  /** Does something with a system; no number when it is missing. */
  double attempt(String system, Function<Stations, Double> action) {
    Entrant entrant = entrant(system);
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
  public static String why(RuntimeException e) {
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
    return new Comparison(this, Stations::roundTrips, (run, count) -> run.p50Ns() / 1e3)
        .run(sizes, "round trips", effort);
  }

  /** Messages one way: how many a second. */
  public Outcome floods(List<String> systems, int bytes, Effort effort) {
    return new Comparison(this, Stations::flood, (run, count) -> count * 1e9 / run.tookNs())
        .run(same(systems, bytes), "messages", effort);
  }

  /** Questions beside long messages: the median latency, in microseconds; in so many rounds. */
  public Outcome mixes(Mix mix, int times) {
    report.progress("%s, a mix of %s".formatted(scene.name(), mix));
    Comparison.Way way = (stations, bytes, count) -> stations.mix(mix);
    return new Comparison(this, way, (run, count) -> run.p50Ns() / 1e3)
        .run(mix.bytes(), mix.count(), FIXED_WARM_UPS, times);
  }

  /**
   * Questions at fixed times: the median from when they were due to their answers, in microseconds.
   * Round trips have warmed the code up before.
   */
  public Outcome paced(int bytes, int count, long everyNs, int times) {
    report.progress("%s, questions of %d bytes when due".formatted(scene.name(), bytes));
    Comparison.Way way = (stations, each, n) -> stations.paced(each, n, everyNs);
    return new Comparison(this, way, (run, n) -> run.p50Ns() / 1e3).run(bytes, count, 0, times);
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
    return rounds.run(Comparison.WARM_UP_ROUNDS, tries);
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

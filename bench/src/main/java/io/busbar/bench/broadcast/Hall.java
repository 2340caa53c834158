package io.busbar.bench.broadcast;

import io.busbar.bench.Bench;
import io.busbar.bench.Rounds;
import io.busbar.bench.contest.MpiCrowd;
import io.busbar.bench.contest.PeerOptions;
import io.busbar.lab.bed.Host;
import io.busbar.lab.bed.HostProcess;
import io.busbar.lab.bed.LinkCounters;
import io.busbar.lab.bed.TestBed;
import io.busbar.lab.bed.TestBedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One who speaks and many who hear, as several systems in turns, each in processes of its own. */
final class Hall implements AutoCloseable {
  static final String BUSBAR = "busbar";
  static final String JGROUPS = "jgroups";
  static final String MPI = "open-mpi";

  private static final int WARM_UPS_MAX = 16;
  private static final int WARM_UPS_IN_VAIN = 3;
  private static final double BETTER = 0.9;
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Duration END_PATIENCE = Duration.ofSeconds(8);
  private static final List<String> OPTIONS = List.of("-XX:+UseSerialGC", "-Xmx128m");
  private final Bench.Report report;
  private final TestBed bed;
  private final int readers;
  private final Map<String, List<HostProcess>> systems = new LinkedHashMap<>();
  private final List<AutoCloseable> closing = new ArrayList<>();

  /** What one system's run was like. */
  record Run(
      double seconds,
      double userNs,
      double systemNs,
      double sentFrames,
      double cameFrames,
      Map<String, Double> counts) {}

  Hall(Bench.Report report, TestBed bed, int readers) {
    this.report = report;
    this.bed = bed;
    this.readers = readers;
  }

  /** A place for each: the hosts of the bed, or all in the first one. */
  private Host host(int rank, boolean together) {
    return bed.host(together ? 0 : rank);
  }

  void enter(String system, String fabrics, boolean together) {
    List<String> options = PeerOptions.with(OPTIONS, system + "-" + fabrics);
    List<HostProcess> all = new ArrayList<>();
    String name = "hall-%s-%d-%d".formatted(fabrics, readers, System.nanoTime());
    for (int rank = 0; rank <= readers; rank++) {
      Host at = host(rank, together);
      List<String> arguments =
          List.of(
              system,
              Integer.toString(rank),
              Integer.toString(readers + 1),
              at.addressText(),
              fabrics,
              name);
      all.add(at.java(options, CastMember.class, arguments));
    }
    all.forEach(member -> await(member, "opened"));
    systems.put(system, all);
  }

  /** All of a system join at once; how long the last one took, in seconds. */
  double join(String system) {
    List<HostProcess> all = members(system);
    all.forEach(member -> member.sendLine("join"));
    return all.stream().mapToLong(Hall::took).max().orElse(0) / 1e9;
  }

  void leave(String system) {
    List<HostProcess> all = members(system);
    all.forEach(member -> member.sendLine("leave"));
    all.forEach(member -> took(member));
  }

  void enterMpi() {
    try {
      MpiCrowd crowd = new MpiCrowd(report, bed, readers + 1, Hall.class, "mpi-bcast.c");
      closing.add(crowd);
      await(crowd.process(), "opened");
      systems.put(MPI, List.of(crowd.process()));
    } catch (IllegalStateException | TestBedException e) {
      report.missing(MPI, String.valueOf(e.getMessage()));
    }
  }

  private List<HostProcess> members(String system) {
    List<HostProcess> all = systems.get(system);
    if (all == null) {
      throw new IllegalArgumentException("no system " + system);
    }
    return all;
  }

  private static String await(HostProcess member, String prefix) {
    return member.awaitLine(line -> line.startsWith(prefix), PATIENCE);
  }

  private static long took(HostProcess member) {
    return Long.parseLong(await(member, "took ").split(" ", -1)[1]);
  }

  /** One broadcast of so many messages by one system. */
  Run run(String system, int count, int bytes) {
    List<HostProcess> all = members(system);
    HostProcess speaker = all.getFirst();
    List<HostProcess> hearers = all.subList(1, all.size());
    hearers.forEach(member -> member.sendLine("take " + count));
    hearers.forEach(member -> await(member, "ready"));
    LinkCounters before = bed.host(0).counters();
    speaker.sendLine("send %d %d".formatted(count, bytes));
    String line = await(speaker, "took ");
    LinkCounters passed = bed.host(0).counters().minus(before);
    hearers.forEach(member -> took(member));
    Map<String, Double> values = values(line, "", " before ");
    Map<String, Double> counts = values(line, " after ", "");
    values(line, " before ", " after ")
        .forEach((name, old) -> counts.merge(name, -old, Double::sum));
    return new Run(
        value(values, "took") / 1e9,
        value(values, "user") / count,
        value(values, "system") / count,
        (double) passed.txPackets() / count,
        (double) passed.rxPackets() / count,
        counts);
  }

  private static double value(Map<String, Double> values, String name) {
    @Nullable Double value = values.get(name);
    return value == null ? Double.NaN : value;
  }

  /** The names and values of a part of a line. */
  private static Map<String, Double> values(String line, String from, String to) {
    Map<String, Double> values = new HashMap<>();
    int begin = from.isEmpty() ? 0 : line.indexOf(from);
    if (begin < 0) {
      return values;
    }
    int end = to.isEmpty() ? line.length() : line.indexOf(to);
    String part = line.substring(begin + from.length(), end < 0 ? line.length() : end);
    String[] words = part.strip().split(" ", -1);
    for (int i = 0; i + 1 < words.length; i += 2) {
      values.put(words[i], Double.valueOf(words[i + 1]));
    }
    return values;
  }

  /**
   * Lets the virtual machines compile: each system broadcasts until its speaker has not needed less
   * time for some runs, or it has had enough.
   */
  void warmUp(int count, int bytes) {
    for (String system : systems.keySet()) {
      if (!system.equals(MPI)) {
        double least = Double.POSITIVE_INFINITY;
        int vain = 0;
        for (int i = 0; i < WARM_UPS_MAX && vain < WARM_UPS_IN_VAIN; i++) {
          double user = run(system, count, bytes).userNs;
          vain = user < BETTER * least ? 0 : vain + 1;
          least = Math.min(least, user);
        }
      }
    }
  }

  /** Rounds in which every system broadcasts once, and the runs of each in them. */
  Rounds rounds(int count, int bytes, int warmUps, int times, Map<String, List<Run>> all) {
    Rounds rounds = new Rounds();
    for (String system : systems.keySet()) {
      rounds.system(
          system,
          () -> {
            Run run = run(system, count, bytes);
            all.computeIfAbsent(system, _ -> new ArrayList<>()).add(run);
            return run.seconds;
          });
    }
    return rounds.run(warmUps, times);
  }

  /** More runs of Busbar's alone, for what they cost. */
  void runs(int count, int bytes, int times, List<Run> ours) {
    for (int i = 0; i < times; i++) {
      ours.add(run(BUSBAR, count, bytes));
    }
  }

  /** Kills the last reader of Busbar's: how long until the one who speaks knows, in seconds. */
  double detect() {
    List<HostProcess> all = members(BUSBAR);
    all.getFirst().sendLine("watch");
    long startNs = System.nanoTime();
    all.getLast().kill();
    long _ = took(all.getFirst());
    return (System.nanoTime() - startNs) / 1e9;
  }

  @Override
  public void close() {
    systems.forEach((system, all) -> HostProcess.dismiss(all, "end", END_PATIENCE));
    for (AutoCloseable each : closing) {
      try {
        each.close();
      } catch (Exception e) {
        report.progress("could not end a peer: " + e.getMessage());
      }
    }
  }
}

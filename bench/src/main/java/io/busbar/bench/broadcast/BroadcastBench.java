package io.busbar.bench.broadcast;

import io.busbar.bench.Aim;
import io.busbar.bench.Bench;
import io.busbar.bench.Figure;
import io.busbar.bench.Rounds;
import io.busbar.lab.bed.TestBed;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The paper's experiment (E21): many messages of 1 KB from one node to a growing number of others.
 * All share two cores here, so the time alone misleads: what it costs the sender, and what is on
 * the wire, is printed, too.
 */
public final class BroadcastBench implements Bench {
  private static final int BYTES = 1024;
  private static final int FEW = 8192;
  private static final int MANY = 65_536;
  private static final int TIMED_READERS = 8;
  private static final int MOST_READERS = 16;
  private static final int LEAST_READERS = 2;

  /** The kernel counts a process's time in steps of 10 ms: the cost is that of so many runs. */
  private static final int COSTED = 16;

  private static final double HALF = 0.5;

  /** The experiment. */
  public BroadcastBench() {}

  @Override
  public String name() {
    return "broadcast";
  }

  @Override
  public String description() {
    return "messages of 1 KB from one node to 1 to 16 others, beside MPI_Bcast and JGroups";
  }

  @Override
  public void run(Report report, boolean quick) {
    String obstacle = TestBed.obstacle();
    if (!obstacle.isEmpty()) {
      report.missing("hosts", "a broadcast needs several: " + obstacle);
      return;
    }
    report.note(Hall.BUSBAR, "nodes that find each other; window 64 frames a reader, 256 to 1024");
    report.note(Hall.JGROUPS, "UDP multicast, NAKACK2, STABLE, MFC; bundled");
    report.note(Hall.MPI, "MPI_Bcast and a barrier at the end; btl tcp,self; yields when idle");
    int[] readers =
        quick
            ? new int[] {LEAST_READERS, TIMED_READERS, MOST_READERS}
            : new int[] {1, LEAST_READERS, 4, TIMED_READERS, MOST_READERS};
    for (String scene : List.of("packet", "udp", "shm")) {
      Map<Integer, Double> user = new HashMap<>();
      for (int n : readers) {
        try (TestBed bed = TestBed.create(n + 1);
            Hall hall = new Hall(report, bed, n)) {
          measure(report, hall, scene, n, quick, user);
        }
      }
    }
  }

  private void measure(
      Report report, Hall hall, String scene, int n, boolean quick, Map<Integer, Double> user) {
    String name = "%s-n%d".formatted(scene, n);
    report.progress(name);
    boolean together = scene.equals("shm");
    hall.enter(Hall.BUSBAR, scene.equals("udp") ? "udp" : scene + ",udp", together);
    double _ = hall.join(Hall.BUSBAR); // loads classes
    hall.leave(Hall.BUSBAR);
    double joined = hall.join(Hall.BUSBAR);
    if (n == TIMED_READERS) {
      report.figure(seconds(name, "join_time", joined).aims(Aim.atMost(1)));
    }
    boolean hasPeers = !together && (n == TIMED_READERS || !quick);
    if (hasPeers) {
      hall.enter(Hall.JGROUPS, "udp", false);
      double _ = hall.join(Hall.JGROUPS);
      hall.enterMpi();
    }
    boolean isTimed = n == TIMED_READERS && !together;
    Aim[] faster = {Aim.atMost(HALF, Hall.MPI), Aim.atMost(HALF, Hall.JGROUPS)};
    Aim[] aims = isTimed ? faster : new Aim[0];
    Map<String, List<Hall.Run>> all = new LinkedHashMap<>();
    hall.warmUp(MANY, BYTES); // many virtual machines that compile at once on few cores
    Rounds many = hall.rounds(MANY, BYTES, 0, quick ? 3 : 7, all);
    report.figure(time(many, name, n, "time_65536").aims(aims));
    List<Hall.Run> runs = Objects.requireNonNull(all.remove(Hall.BUSBAR));
    hall.runs(MANY, BYTES, COSTED - runs.size(), runs);
    report(report, name, n, runs, all, user);
    Rounds few = hall.rounds(FEW, BYTES, 1, quick ? 5 : 11, new HashMap<>());
    report.figure(time(few, name, n, "time_8192").aims(aims));
    if (n == TIMED_READERS) {
      report.figure(seconds(name, "detect_time", hall.detect()).aims(Aim.atMost(2)));
    }
  }

  private static double median(List<Hall.Run> runs, ToDoubleFunction<Hall.Run> value) {
    return Rounds.median(runs.stream().map(value::applyAsDouble).toList());
  }

  private static double counted(Hall.Run run, String name) {
    @Nullable Double value = run.counts().get(name);
    return value == null ? Double.NaN : value / MANY;
  }

  private static double frames(Hall.Run run) {
    return counted(run, "data-out") + counted(run, "repairs-out") + counted(run, "polls-out");
  }

  /**
   * The average of the middle half: the kernel counts in steps, so a median would be one of few
   * values, and compilers still work in some runs.
   */
  private static double average(List<Hall.Run> runs, ToDoubleFunction<Hall.Run> value) {
    double[] sorted = runs.stream().mapToDouble(value).sorted().toArray();
    int cut = sorted.length / 4;
    return Arrays.stream(sorted, cut, sorted.length - cut).average().orElse(Double.NaN);
  }

  private void report(
      Report report,
      String name,
      int n,
      List<Hall.Run> runs,
      Map<String, List<Hall.Run>> peers,
      Map<Integer, Double> user) {
    double ofUser = average(runs, Hall.Run::userNs);
    user.put(n, ofUser);
    Figure frames =
        plain(name, "frames_per_message", "", n)
            .with(Hall.BUSBAR, median(runs, BroadcastBench::frames))
            .also("on_the_link", median(runs, Hall.Run::sentFrames)) // some of them glued
            .aims(Aim.atMost(1.05));
    peers.forEach(
        (peer, its) -> frames.also("on_the_link_" + peer, median(its, Hall.Run::sentFrames)));
    report.figure(frames);
    report.figure(
        plain(name, "acks_per_message", "", n)
            .with(
                Hall.BUSBAR,
                median(runs, run -> counted(run, "status-in") + counted(run, "naks-in")))
            .also("polls", median(runs, run -> counted(run, "polls-out")))
            .aims(Aim.atMost(0.05)));
    report.figure(
        plain(name, "repairs_per_message", "", n)
            .with(Hall.BUSBAR, median(runs, run -> counted(run, "repairs-out"))));
    Figure cost =
        plain(name, "sender_ns_per_message", "ns", n)
            .with(Hall.BUSBAR, ofUser)
            .also("system_ns", median(runs, Hall.Run::systemNs));
    peers.forEach(
        (peer, its) -> {
          double spent = average(its, Hall.Run::userNs);
          cost.systems().put(peer, Double.isNaN(spent) ? null : spent);
        });
    Double two = user.get(LEAST_READERS);
    if (n == MOST_READERS && two != null) {
      double ratio = ofUser / two;
      cost.systems().put("n2", two);
      cost.ratios().put("n2", new double[] {ratio, ratio, ratio});
      report.figure(cost.aims(Aim.atMost(1.2, "n2")));
    } else {
      report.figure(cost);
    }
  }

  private Figure plain(String scene, String metric, String unit, int n) {
    return Figure.plain(name(), scene, BYTES, metric, unit, "lower").also("peers", n);
  }

  private Figure seconds(String scene, String metric, double value) {
    return Figure.plain(name(), scene, 0, metric, "s", "lower").with(Hall.BUSBAR, value);
  }

  private Figure time(Rounds rounds, String scene, int n, String metric) {
    return rounds.figure(plain(scene, metric, "s", n));
  }
}

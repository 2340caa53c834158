package io.busbar.bench.path;

import io.busbar.bench.Bench;
import io.busbar.bench.Figure;
import io.busbar.bench.Rounds;
import io.busbar.bench.contest.Folder;
import io.busbar.bench.contest.Hosts;
import io.busbar.bench.contest.Scene;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a message of one byte spends its time (B4, B22), for java.nio's UDP and for Busbar over udp
 * between two hosts, and for Busbar over shm between two processes. The stages of a message follow
 * each other without a gap; each is the median over the messages. Their sum stands beside half of
 * the round trips of the same messages, and what it does not explain is told. With {@code -sleep}
 * the receiver sleeps when a message comes, only the way there is shown, and it stands beside the
 * time from the call to what the program does then.
 */
public final class PathBench implements Bench {
  /** Medians of stages do not quite add up to the median of their sum. */
  static final double TOLERANCE = 0.15;

  private static final int WARM_UPS = 20;
  private static final int COUNT = 5_000;
  private static final int COUNT_SLEEPING = 300;

  /** Longer than a receiver looks before it goes to sleep. */
  private static final long PAUSE_NS = 2_000_000;

  private static final List<String> OPTIONS = List.of("-XX:+UseSerialGC", "-Xmx256m");

  /** The experiment. */
  public PathBench() {}

  @Override
  public String name() {
    return "path";
  }

  @Override
  public String description() {
    return "where a message of 1 byte spends its time, stage by stage, beside java.nio's UDP";
  }

  @Override
  public void run(Report report, boolean quick) {
    int rounds = quick ? 3 : 15;
    try (Hosts hosts = Hosts.open(report)) {
      for (boolean sleeps : new boolean[] {false, true}) {
        for (Scene scene : hosts.scenes().reversed()) {
          String fabric = scene.name();
          if (fabric.equals("udp")) {
            Trial nio = new Trial("udp-nio", "udp-nio", fabric, sleeps, COUNT, PAUSE_NS);
            measure(report, scene, nio, WARM_UPS, rounds);
          }
          Trial busbar = new Trial("busbar", fabric, fabric, sleeps, COUNT, PAUSE_NS);
          measure(report, scene, busbar, WARM_UPS, rounds);
        }
      }
    }
  }

  /**
   * A system in a place.
   *
   * @param system its name in the figures
   * @param kind what its processes are told to be
   * @param fabric what carries it
   * @param sleeps whether a receiver sleeps
   * @param count messages of a run
   * @param restNs between two messages to a receiver that sleeps
   */
  record Trial(String system, String kind, String fabric, boolean sleeps, int count, long restNs) {
    String scene() {
      return sleeps ? fabric + "-sleep" : fabric;
    }

    boolean isRing() {
      return fabric.equals("shm");
    }

    int countNow() {
      return sleeps ? Math.min(count, COUNT_SLEEPING) : count;
    }

    long pauseNs() {
      return sleeps ? restNs : 0;
    }
  }

  /** One system: its stages, and what stands beside their sum. */
  void measure(Report report, Scene scene, Trial trial, int warmUps, int rounds) {
    report.progress("%s, %s".formatted(trial.scene(), trial.system()));
    try (Folder folder = Folder.inMemory();
        KernelTrace trace = trace(report, trial);
        PathPair pair = pair(scene, trial, Path.of(folder.toString()))) {
      warmUp(pair, trial, warmUps);
      Map<String, List<Double>> tripsUs = new LinkedHashMap<>();
      Timeline timeline = new Timeline(trial.isRing());
      for (int i = 0; i < rounds; i++) {
        double plainUs = pair.run(trial.countNow(), false, trial.pauseNs()) / 1e3;
        double stampedUs = pair.run(trial.countNow(), true, trial.pauseNs()) / 1e3;
        double lookedAtUs = trace == null ? stampedUs : traced(pair, trial, trace, timeline);
        if (trace == null) {
          note(timeline, pair, trial, List.of());
        }
        tripsUs.computeIfAbsent("plain", _ -> new ArrayList<>()).add(plainUs);
        tripsUs.computeIfAbsent("stamped", _ -> new ArrayList<>()).add(stampedUs);
        tripsUs.computeIfAbsent("looked at", _ -> new ArrayList<>()).add(lookedAtUs);
      }
      show(report, trial, timeline, tripsUs);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static double traced(PathPair pair, Trial trial, KernelTrace trace, Timeline timeline)
      throws IOException {
    trace.start(pair.askerThread(), pair.answererThread());
    double us = pair.run(trial.countNow(), true, trial.pauseNs()) / 1e3;
    note(timeline, pair, trial, trace.stop());
    return us;
  }

  private static void note(Timeline timeline, PathPair pair, Trial trial, List<KernelEvent> events)
      throws IOException {
    Stamps asked = pair.asked();
    Stamps answered = pair.answered();
    timeline.add(asked, answered, pair.askerThread(), pair.answererThread(), events);
    if (!trial.sleeps()) {
      timeline.add(answered, asked, pair.answererThread(), pair.askerThread(), events);
    }
  }

  private static void warmUp(PathPair pair, Trial trial, int times) {
    for (int i = 0; i < times; i++) {
      long _ = pair.run(trial.count(), i % 2 == 0, 0);
    }
  }

  /** Shared memory does not go through the kernel; elsewhere its part is one stage without it. */
  private static @Nullable KernelTrace trace(Report report, Trial trial) {
    if (trial.isRing()) {
      return null;
    }
    try {
      return KernelTrace.open();
    } catch (IOException e) {
      report.note(
          trial.scene(), "the kernel is one stage: tracefs cannot be used, %s".formatted(e));
      return null;
    }
  }

  private static PathPair pair(Scene scene, Trial trial, Path folder) {
    List<String> asks =
        List.of(trial.kind(), "ask", scene.askingAddress(), askerSleeps(trial), folder.toString());
    List<String> answers =
        List.of(
            trial.kind(),
            "answer",
            scene.answeringAddress(),
            String.valueOf(trial.sleeps()),
            folder.toString());
    return new PathPair(
        scene.asking().java(OPTIONS, PathEnd.class, asks),
        scene.answering().java(OPTIONS, PathEnd.class, answers),
        folder);
  }

  /** Who asks polls for its answer: it is the way there that is looked at. */
  private static String askerSleeps(Trial trial) {
    return String.valueOf(trial.sleeps() && !trial.kind().equals("udp-nio"));
  }

  // Figures.

  private void show(
      Report report, Trial trial, Timeline timeline, Map<String, List<Double>> tripsUs) {
    Map<String, Double> stages = timeline.stages();
    if (stages.isEmpty()) {
      throw new IllegalStateException("%s: no message was seen whole".formatted(trial.scene()));
    }
    double sumUs = 0;
    int order = 0;
    for (Map.Entry<String, Double> stage : stages.entrySet()) {
      sumUs += stage.getValue();
      report.figure(
          Figure.plain(name(), trial.scene(), 1, "stage_us", "us", "lower")
              .label("stage", stage.getKey())
              .with(trial.system(), stage.getValue())
              .also("order", ++order)
              .of(timeline.size(), 0));
    }
    double lookedAtUs = median(tripsUs, "looked at");
    double measuredUs = trial.sleeps() ? timeline.oneWayUs() : lookedAtUs / 2;
    double unexplained = (measuredUs - sumUs) / measuredUs;
    double plainUs = median(tripsUs, "plain");
    double stampedUs = median(tripsUs, "stamped");
    report.figure(
        Figure.plain(name(), trial.scene(), 1, "one_way_us", "us", "lower")
            .with(trial.system(), measuredUs)
            .also("sum", sumUs)
            .also("unexplained", unexplained)
            .also("plain", plainUs / 2)
            .also("stamping", (stampedUs - plainUs) / 2)
            .also("tracing", (lookedAtUs - stampedUs) / 2)
            .of(timeline.size(), 0));
    if (Math.abs(unexplained) > TOLERANCE) {
      report.note(
          trial.scene(),
          "the stages of %s do not add up within %.0f %%: read them with care"
              .formatted(trial.system(), TOLERANCE * 100));
    }
  }

  private static double median(Map<String, List<Double>> tripsUs, String how) {
    return Rounds.median(tripsUs.getOrDefault(how, List.of()));
  }
}

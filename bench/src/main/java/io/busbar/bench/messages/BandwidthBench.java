package io.busbar.bench.messages;

import io.busbar.bench.Aim;
import io.busbar.bench.Bench;
import io.busbar.bench.Figure;
import io.busbar.bench.contest.Contest;
import io.busbar.bench.contest.Effort;
import io.busbar.bench.contest.Hosts;
import io.busbar.bench.contest.Outcome;
import io.busbar.bench.contest.Scene;
import io.busbar.lab.bed.TestBed;
import io.busbar.messages.Messages;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Bytes a second by size of message, and the size at which half of the floor's peak is reached. The
 * floor of messages from 64 KB over shared memory is a copy within one process; the bare ring,
 * which copies twice, is named {@code ring} there.
 */
public final class BandwidthBench implements Bench {
  private static final int[] LONG = {64 << 10, 1 << 20};

  /** From the shortest that goes by reference to the longest that a pool of pages has. */
  private static final int[] GIVEN = {4 << 10, 64 << 10, (128 << 10) - 8};

  private static final int JUMBO = 9000;

  private static final int[] SHORT = {
    16, 32, 64, 128, 256, 512, 1 << 10, 2 << 10, 4 << 10, 8 << 10, 16 << 10, 32 << 10
  };

  private static final int[] SHORT_QUICK = {64, 512, 4 << 10, 16 << 10};

  private static final Set<String> UNAIMED =
      Set.of("aeron", "udp-nio", "netty-epoll", "jgroups", "open-mpi", "mpich", "mpj-express");

  /** The experiment. */
  public BandwidthBench() {}

  @Override
  public String name() {
    return "bandwidth";
  }

  @Override
  public String description() {
    return "bytes a second by size over shm, udp, packet and xdp beside copies, bare calls, Aeron and java.nio";
  }

  @Override
  public void run(Report report, boolean quick) {
    Effort effort = Effort.of(quick);
    try (Hosts hosts = Hosts.open(report)) {
      try (Contest contest =
          Lineup.shm(this, report, hosts, quick).enter("memcpy", "memcpy").connect()) {
        shm(report, contest, effort, quick);
      }
      Scene giving = hosts.shm().named("shm-give");
      try (Contest contest =
          new Contest(this, report, giving, quick).enter("busbar", "messages-shm-give").connect()) {
        given(report, contest, effort);
      }
      hosts.ifTwo(
          bed -> {
            try (Contest contest =
                Lineup.udp(this, report, bed, quick).enter("fabric", "nic-udp").connect()) {
              udp(report, contest, effort, quick);
            }
            for (String fabric : List.of("packet", "xdp")) {
              ether(report, bed, fabric, quick);
            }
          });
    }
  }

  /** With frames of 9,000 bytes, beside TCP with and without segmentation offload. */
  private void ether(Report report, TestBed bed, String fabric, boolean quick) {
    Scene scene = Scene.jumbo(bed, fabric + "-9000", JUMBO);
    try (Contest contest =
        new Contest(this, report, scene, quick)
            .enter("busbar", "messages-" + fabric)
            .enter("floor", "bare-" + fabric)
            .enter("tcp-nio", "tcp-nio")
            .enter("tcp-frames", "tcp-nio-frames")
            .connect()) {
      Effort each = Effort.ofLittle(quick);
      for (int bytes : quick ? new int[] {LONG[0]} : LONG) {
        Outcome outcome = contest.floods(contest.systems(), bytes, each);
        each = each.warm();
        report.figure(outcome.bandwidth().aims(Aim.atLeast(1.0, "tcp-frames")));
        report.figure(outcome.allocation());
      }
    }
  }

  /** A quick run leaves those out of the longest messages beside whom nothing is aimed at. */
  private static List<String> beside(Contest contest, int bytes, boolean quick) {
    return contest.systems().stream()
        .filter(system -> !quick || bytes == LONG[0] || !UNAIMED.contains(system))
        .toList();
  }

  private void shm(Report report, Contest contest, Effort effort, boolean quick) {
    SortedMap<Integer, Double> busbar = new TreeMap<>();
    SortedMap<Integer, Double> floor = new TreeMap<>();
    sweep(report, contest, effort, quick ? SHORT_QUICK : SHORT, busbar, floor);
    for (int bytes : LONG) {
      Outcome outcome =
          contest.floods(beside(contest, bytes, quick), bytes, effortOf(bytes, effort));
      note(outcome.bandwidth(), busbar, floor);
      Outcome copied = outcome.renamed(Map.of("floor", "ring", "memcpy", "floor"));
      report.figure(copied.bandwidth().aims(Aim.atLeast(0.8, "floor")));
      report.figure(outcome.allocation());
    }
    halfPower(report, contest, busbar, floor);
  }

  /** The longest take another way than those before, which is not warm. */
  private static Effort effortOf(int bytes, Effort effort) {
    return bytes > Messages.WHOLE_BYTES_MAX ? effort : effort.warm();
  }

  /** Messages whose buffer changes its owner: as many long ones a second as short ones. */
  private void given(Report report, Contest contest, Effort effort) {
    double least = Double.MAX_VALUE;
    double most = 0;
    Effort each = effort;
    for (int bytes : GIVEN) {
      Figure rate = contest.floods(contest.systems(), bytes, each).rate();
      each = effort.warm();
      report.figure(rate);
      double busbar = Objects.requireNonNull(rate.systems().get("busbar"));
      least = Math.min(least, busbar);
      most = Math.max(most, busbar);
    }
    report.figure(
        Figure.plain(name(), contest.scene(), GIVEN[GIVEN.length - 1], "share", "", "higher")
            .with("busbar", least / most)
            .of(GIVEN.length, 0)
            .aims(Aim.atLeast(0.7)));
  }

  private void udp(Report report, Contest contest, Effort effort, boolean quick) {
    SortedMap<Integer, Double> busbar = new TreeMap<>();
    SortedMap<Integer, Double> floor = new TreeMap<>();
    sweep(report, contest, effort, quick ? SHORT_QUICK : SHORT, busbar, floor);
    for (int bytes : LONG) {
      Outcome outcome =
          contest.floods(beside(contest, bytes, quick), bytes, effortOf(bytes, effort));
      note(outcome.bandwidth(), busbar, floor);
      report.figure(
          outcome.bandwidth().aims(Aim.atLeast(1.2, "tcp-nio"), Aim.atLeast(0.85, "fabric")));
      report.figure(outcome.allocation());
    }
    halfPower(report, contest, busbar, floor);
  }

  /** The short sizes: the first one warms up what the others use, too. */
  private static void sweep(
      Report report,
      Contest contest,
      Effort effort,
      int[] sizes,
      SortedMap<Integer, Double> busbar,
      SortedMap<Integer, Double> floor) {
    List<String> systems = List.of("busbar", "floor", "tcp-nio");
    Effort each = new Effort(effort.warmUpNs(), effort.runNs(), effort.brief().rounds());
    for (int bytes : sizes) {
      Figure figure = contest.floods(systems, bytes, each).bandwidth();
      each = effort.brief();
      report.figure(figure);
      note(figure, busbar, floor);
    }
  }

  private static void note(
      Figure figure, SortedMap<Integer, Double> busbar, SortedMap<Integer, Double> floor) {
    busbar.put(figure.bytes(), Objects.requireNonNull(figure.systems().get("busbar")));
    floor.put(figure.bytes(), Objects.requireNonNull(figure.systems().get("floor")));
  }

  private void halfPower(
      Report report,
      Contest contest,
      SortedMap<Integer, Double> busbar,
      SortedMap<Integer, Double> floor) {
    double peak = HalfPower.peak(floor);
    report.figure(
        Figure.plain(name(), contest.scene(), 0, "half_power_bytes", "B", "lower")
            .with("busbar", HalfPower.bytes(busbar, peak))
            .with("floor", HalfPower.bytes(floor, peak))
            .also("peak", peak)
            .of(busbar.size(), 0)
            .aims(Aim.atMost(1024)));
  }
}

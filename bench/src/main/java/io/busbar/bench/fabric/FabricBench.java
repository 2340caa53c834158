package io.busbar.bench.fabric;

import io.busbar.bench.Bench;
import io.busbar.bench.Figure;
import io.busbar.bench.Rounds;
import io.busbar.lab.bed.TestBed;
import io.busbar.lab.bed.TestHost;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Each fabric beside the bare calls below it and java.nio: round trips, messages and bytes a
 * second, between two processes. Hosts are namespaces joined by a cable; shared memory is measured
 * between two processes of one of them.
 */
public final class FabricBench implements Bench {
  private static final int ETHERNET_FRAME = 1472;
  private static final int LOOPBACK_FRAME = 32 << 10;
  private static final int SHM_FRAME_MAX = 128 << 10;
  private static final String MEMORY = "/dev/shm";
  private static final long FLOOD_NS = 60_000_000;
  private static final long ASK_NS = 60_000_000;

  /** The compiler needs about so long on two busy cores. */
  private static final long WARM_UP_NS = 1_000_000_000;

  /** The contenders by what figures call them; the first one is Busbar. */
  private static Map<String, String> systems(String busbar, String floor) {
    Map<String, String> systems = new LinkedHashMap<>();
    systems.put("busbar", busbar);
    systems.put("floor", floor);
    systems.put("tcp-nio", "tcp-nio");
    systems.put("udp-nio", "udp-nio");
    return systems;
  }

  @Override
  public String name() {
    return "fabric";
  }

  @Override
  public String description() {
    return "round trips, messages and bytes a second of shm and udp beside bare calls and java.nio";
  }

  @Override
  public void run(Report report, boolean quick) {
    try (TestBed bed = TestBed.pair()) {
      shm(report, quick, bed.host(0));
      udp(report, quick, bed.host(0), bed.host(1));
    }
  }

  private static Stations start(
      TestHost asking,
      String askingAddress,
      TestHost answering,
      String answeringAddress,
      int frame) {
    List<String> ask = List.of("ask", askingAddress, Integer.toString(frame), MEMORY);
    List<String> answer = List.of("answer", answeringAddress, Integer.toString(frame), MEMORY);
    return new Stations(
        asking.java(Stations.OPTIONS, Station.class, ask),
        answering.java(Stations.OPTIONS, Station.class, answer));
  }

  private void shm(Report report, boolean quick, TestHost host) {
    String here = "127.0.0.1";
    try (Stations stations = start(host, here, host, here, LOOPBACK_FRAME)) {
      Map<String, String> systems = systems("shm", "bare-ring");
      systems.values().forEach(stations::open);
      for (int bytes : new int[] {64, 1024, 64 << 10, SHM_FRAME_MAX}) {
        roundTrips(report, quick, stations, "shm", systems, bytes, "at most 1.3 x the floor");
      }
      for (int bytes : new int[] {64, 1024, 64 << 10, SHM_FRAME_MAX}) {
        String aim = bytes == 64 ? "at least 0.40 x the floor" : "";
        floods(report, quick, stations, "shm", systems, bytes, aim);
      }
      passing(report, quick, stations);
    }
  }

  private void udp(Report report, boolean quick, TestHost one, TestHost other) {
    String here = one.address4().getHostAddress();
    String there = other.address4().getHostAddress();
    try (Stations stations = start(one, here, other, there, ETHERNET_FRAME)) {
      Map<String, String> systems = systems("udp", "bare-udp");
      systems.values().forEach(stations::open);
      long before = one.counters().txBytes();
      for (int bytes : new int[] {64, 1024, ETHERNET_FRAME, 64 << 10}) {
        roundTrips(report, quick, stations, "udp", systems, bytes, "at most 1.15 x the floor");
      }
      for (int bytes : new int[] {64, 1024, ETHERNET_FRAME, 64 << 10}) {
        String aim = bytes == 64 << 10 ? "at least 0.90 x the floor and 1.3 x tcp-nio" : "";
        floods(report, quick, stations, "udp", systems, bytes, aim);
      }
      if (one.counters().txBytes() - before < 64 << 20) {
        throw new IllegalStateException("the bytes did not cross the cable");
      }
    }
  }

  private void roundTrips(
      Report report,
      boolean quick,
      Stations stations,
      String scene,
      Map<String, String> systems,
      int bytes,
      String aim) {
    report.progress("%s, round trips of %d bytes".formatted(scene, bytes));
    Map<String, List<Double>> p99 = new LinkedHashMap<>();
    Rounds rounds = new Rounds();
    int[] counts = {0};
    systems.forEach(
        (name, contender) -> {
          int count = countFor(stations, contender, bytes, ASK_NS, true);
          counts[0] = Math.max(counts[0], count);
          List<Double> tails = new ArrayList<>();
          p99.put(name, tails);
          rounds.system(
              name,
              () -> {
                Stations.Run run = stations.roundTrips(contender, bytes, count);
                tails.add(run.p99Ns() / 1e3);
                return run.p50Ns() / 1e3;
              });
        });
    rounds.run(2, quick ? 7 : 21);
    report.figure(
        rounds.figure(
            Figure.plain(name(), scene, bytes, "rtt_p50", "us", "lower")
                .of(counts[0], 0)
                .aims(aim)));
    Figure tail = Figure.plain(name(), scene, bytes, "rtt_p99", "us", "lower").of(counts[0], 0);
    p99.forEach((name, values) -> tail.with(name, Rounds.median(values)));
    report.figure(tail);
  }

  private void floods(
      Report report,
      boolean quick,
      Stations stations,
      String scene,
      Map<String, String> systems,
      int bytes,
      String aim) {
    report.progress("%s, messages of %d bytes".formatted(scene, bytes));
    Rounds rounds = new Rounds();
    double[] allocated = {Double.MAX_VALUE};
    int[] counts = {0};
    systems.forEach(
        (name, contender) -> {
          int count = countFor(stations, contender, bytes, FLOOD_NS, false);
          counts[0] = Math.max(counts[0], count);
          rounds.system(
              name,
              () -> {
                Stations.Run run = stations.flood(contender, bytes, count);
                if (name.equals("busbar")) {
                  allocated[0] = Math.min(allocated[0], (double) run.allocatedBytes() / count);
                }
                return count * 1e9 / run.tookNs();
              });
        });
    rounds.run(2, quick ? 7 : 21);
    report.figure(
        rounds.figure(
            Figure.plain(name(), scene, bytes, "rate", "messages/s", "higher")
                .of(counts[0], 0)
                .aims(aim)));
    report.figure(
        rounds
            .scaled(bytes / 1e6)
            .figure(
                Figure.plain(name(), scene, bytes, "bandwidth", "MB/s", "higher")
                    .of(counts[0], 0)
                    .aims(aim)));
    report.figure(
        Figure.plain(name(), scene, bytes, "bytes_per_message", "B", "lower")
            .with("busbar", allocated[0])
            .of(counts[0], 0)
            .aims("0"));
  }

  /** As many as take about so long; the runs until then warm the code up. */
  private static int countFor(
      Stations stations, String contender, int bytes, long forNs, boolean asks) {
    long count = 64;
    long tookNs = 0;
    for (long sinceNs = System.nanoTime(); ; ) {
      tookNs =
          asks
              ? stations.roundTrips(contender, bytes, (int) count).tookNs()
              : stations.flood(contender, bytes, (int) count).tookNs();
      if (tookNs < forNs / 2) {
        count *= 2;
      } else if (System.nanoTime() - sinceNs > WARM_UP_NS) {
        return (int) Math.max(64, count * forNs / tookNs);
      }
    }
  }

  private void passing(Report report, boolean quick, Stations stations) {
    for (String contender : List.of("passed", "passed-read")) {
      stations.open(contender);
      String scene = contender.equals("passed") ? "shm-passed" : "shm-passed-read";
      report.progress(scene + ", a buffer of 64 KB beside one of 1 MB");
      Rounds rounds = new Rounds();
      for (int bytes : new int[] {1 << 20, 64 << 10}) {
        int count = countFor(stations, contender, bytes, ASK_NS, true);
        rounds.system(
            bytes == 1 << 20 ? "busbar" : "busbar-64k",
            () -> stations.roundTrips(contender, bytes, count).p50Ns() / 1e3);
      }
      int floor = countFor(stations, "bare-ring", 64, ASK_NS, true);
      rounds.system("floor", () -> stations.roundTrips("bare-ring", 64, floor).p50Ns() / 1e3);
      rounds.run(2, quick ? 7 : 21);
      report.figure(
          rounds.figure(
              Figure.plain(name(), scene, 1 << 20, "rtt_p50", "us", "lower")
                  .of(floor, 0)
                  .aims(
                      contender.equals("passed")
                          ? "as long for 1 MB as for 64 KB"
                          : "what reading 1 MB takes")));
    }
  }
}

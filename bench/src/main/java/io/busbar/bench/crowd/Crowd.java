package io.busbar.bench.crowd;

import io.busbar.bench.Rounds;
import io.busbar.bench.contest.Folder;
import io.busbar.lab.bed.HostProcess;
import io.busbar.lab.bed.TestBed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Hosts that send to the last one of their bed, as several systems in turns. */
public final class Crowd implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Duration END_PATIENCE = Duration.ofSeconds(8);
  private static final int WARM_UP_ROUNDS = 3;

  /** Of a run in which others send: so that they still do when the last question is asked. */
  private static final double ASKING_SHARE = 0.6;

  /** Spinning threads there are none; many processes share the cores with their collectors. */
  private static final List<String> OPTIONS = List.of("-XX:+UseSerialGC", "-Xmx256m");

  private final TestBed bed;
  private final int senders;
  private final Folder folder = Folder.inMemory();
  private final Map<String, Members> systems = new LinkedHashMap<>();

  /** The processes of one system. */
  private record Members(List<HostProcess> senders, HostProcess taker) {
    List<HostProcess> all() {
      List<HostProcess> all = new ArrayList<>(senders);
      all.add(taker);
      return all;
    }

    /** What one of them noted of the run that it was told. */
    static Map<String, Long> heard(HostProcess member) {
      String line = await(member, "took ");
      String[] words = line.split(" ", -1);
      Map<String, Long> noted = new HashMap<>();
      for (int i = 0; i + 1 < words.length; i += 2) {
        noted.put(words[i], Long.parseLong(words[i + 1]));
      }
      return noted;
    }

    private static String await(HostProcess member, String prefix) {
      return member.awaitLine(line -> line.startsWith(prefix), PATIENCE);
    }
  }

  /**
   * What was measured, by system.
   *
   * @param rate messages a second that reach the one who takes, of all together
   * @param p50Us the median round trip of the one who asks meanwhile; empty when nobody does
   * @param p99Us the round trip that one in a hundred exceeds
   * @param fairness the time until one sender's messages were all there over that until all were; 1
   *     is fair
   */
  public record Result(Rounds rate, Rounds p50Us, Rounds p99Us, Rounds fairness) {}

  /** A crowd without a system yet: all hosts of the bed but the last one send. */
  public Crowd(TestBed bed, int hosts) {
    this.bed = bed;
    this.senders = hosts - 1;
  }

  /**
   * Starts the processes of a system.
   *
   * @param kind {@code messages} or {@code tcp}
   */
  public Crowd enter(String system, String kind) {
    List<HostProcess> all = new ArrayList<>();
    for (int rank = 0; rank <= senders; rank++) {
      List<String> arguments =
          List.of(
              kind,
              Integer.toString(rank),
              Integer.toString(senders + 1),
              bed.host(rank).address4().getHostAddress(),
              folder.toString());
      all.add(bed.host(rank).java(OPTIONS, Member.class, arguments));
    }
    systems.put(system, new Members(all.subList(0, senders), all.getLast()));
    return this;
  }

  /** Joins the processes of each system. */
  public Crowd connect() {
    for (Members members : systems.values()) {
      String addresses =
          members.all().stream()
              .map(member -> Members.await(member, "opened ").substring("opened ".length()))
              .collect(Collectors.joining(","));
      members.all().forEach(member -> member.sendLine("connect " + addresses));
      members.all().forEach(member -> Members.await(member, "connected"));
    }
    return this;
  }

  /** All of them send as fast as they can. */
  public Result floods(int bytes, long runNs, int times) {
    return new Measurement(0, bytes).run(runNs, times);
  }

  /** The first one asks while the others send as fast as they can. */
  public Result asks(int askedBytes, int bytes, long runNs, int times) {
    return new Measurement(askedBytes, bytes).run(runNs, times);
  }

  /** One thing that all systems do in turns. */
  private final class Measurement {
    private final int askedBytes;
    private final int bytes;
    private final Rounds rate = new Rounds();
    private final Rounds p50Us = new Rounds();
    private final Rounds p99Us = new Rounds();
    private final Rounds fairness = new Rounds();
    private final Map<String, Map<String, Double>> round = new LinkedHashMap<>();

    Measurement(int askedBytes, int bytes) {
      this.askedBytes = askedBytes;
      this.bytes = bytes;
    }

    Result run(long runNs, int times) {
      Map<String, Integer> counts = new LinkedHashMap<>();
      systems.keySet().forEach(system -> counts.put(system, countFor(system, runNs)));
      Rounds order = new Rounds();
      counts.forEach(
          (system, count) -> order.system(system, () -> measure(system, count, runNs, round)));
      for (int i = -WARM_UP_ROUNDS; i < times; i++) {
        round.clear();
        order.run(0, 1);
        if (i >= 0) {
          add("rate", rate);
          add("fairness", fairness);
          add("p50", p50Us);
          add("p99", p99Us);
        }
      }
      return new Result(rate, p50Us, p99Us, fairness);
    }

    /** In the order in which the systems have entered. */
    private void add(String what, Rounds to) {
      Map<String, Double> values = new LinkedHashMap<>();
      for (String system : systems.keySet()) {
        Double value = round.getOrDefault(system, Map.of()).get(what);
        if (value != null) {
          values.put(system, value);
        }
      }
      if (!values.isEmpty()) {
        to.add(values);
      }
    }

    /** Messages of each sender that take about one run's time. */
    private int countFor(String system, long runNs) {
      return Calibration.count(count -> measure(system, count, 0, new HashMap<>()), runNs);
    }

    private double measure(
        String system, int count, long runNs, Map<String, Map<String, Double>> into) {
      Members members = systems.get(system);
      if (members == null) {
        throw new IllegalArgumentException("no system " + system);
      }
      int asking = askedBytes > 0 ? 1 : 0;
      int flooding = senders - asking;
      long all = (long) flooding * count;
      members.taker.sendLine(
          "take %d %d %d %d %d".formatted(Math.max(1, askedBytes), bytes, flooding, count, asking));
      for (int i = 0; i < senders; i++) {
        String command =
            i < asking
                ? "ask %d %d".formatted(askedBytes, (long) Math.max(1, runNs * ASKING_SHARE))
                : "flood %d %d".formatted(bytes, count);
        members.senders.get(i).sendLine(command);
      }
      Map<String, Double> noted = new HashMap<>();
      long last = 0;
      for (int i = 0; i < senders; i++) {
        Map<String, Long> heard = Members.heard(members.senders.get(i));
        long tookNs = value(heard, "took");
        if (i < asking && runNs > 0) {
          noted.put("p50", value(heard, "p50") / 1e3);
          noted.put("p99", value(heard, "p99") / 1e3);
        } else {
          last = Math.max(last, tookNs);
        }
      }
      noted.put("rate", all * 1e9 / last);
      noted.put("fairness", value(Members.heard(members.taker), "fair") / 100.0);
      into.put(system, noted);
      return last;
    }

    private static long value(Map<String, Long> noted, String name) {
      @Nullable Long value = noted.get(name);
      if (value == null) {
        throw new IllegalStateException("a member noted no %s: %s".formatted(name, noted));
      }
      return value;
    }
  }

  @Override
  public void close() {
    systems.values().forEach(members -> HostProcess.dismiss(members.all(), "end", END_PATIENCE));
    folder.close();
  }
}

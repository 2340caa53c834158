package io.busbar.bench.contest;

import io.busbar.lab.bed.HostProcess;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The two processes of one contender: one asks, the other answers. */
final class Stations implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration END_PATIENCE = Duration.ofSeconds(8);

  /** Of the time that a run takes. */
  private static final double COMPILING_MAX = 0.02;

  private final HostProcess asker;
  private final HostProcess answerer;

  Stations(HostProcess asker, HostProcess answerer) {
    this.asker = asker;
    this.answerer = answerer;
  }

  /**
   * One run, with what each end noted by name: {@code took} and {@code cpu} in nanoseconds, {@code
   * allocated} in bytes, {@code compiled}, milliseconds of the compilers' work since the last run,
   * and of round trips {@code p50}, {@code p99} and {@code p999}.
   */
  record Run(Map<String, Long> asked, Map<String, Long> answered) {
    long tookNs() {
      return of(asked, "took");
    }

    long p50Ns() {
      return of(asked, "p50");
    }

    /** 0 for what is no round trip. */
    long p99Ns() {
      return asked.getOrDefault("p99", 0L);
    }

    /** 0 for what is no round trip. */
    long p999Ns() {
      return asked.getOrDefault("p999", 0L);
    }

    /** At the end that allocated more. */
    long allocatedBytes() {
      return Math.max(of(asked, "allocated"), of(answered, "allocated"));
    }

    /** Whether its code was ready: the compilers had next to nothing to do with it. */
    boolean wasReady() {
      long ms = Math.max(of(asked, "compiled"), of(answered, "compiled"));
      return ms * 1_000_000 <= COMPILING_MAX * tookNs();
    }

    /** At the end that used more of a core, in percent. */
    double cpuPercent() {
      return Math.max(share(asked), share(answered)) * 100;
    }

    private static double share(Map<String, Long> noted) {
      return (double) of(noted, "cpu") / of(noted, "took");
    }

    private static long of(Map<String, Long> noted, String name) {
      Long value = noted.get(name);
      if (value == null) {
        throw new IllegalStateException("a station noted no %s: %s".formatted(name, noted));
      }
      return value;
    }
  }

  /** Joins both ends, which have been started. */
  void connect() {
    String asking = await(asker, "opened ").substring("opened ".length());
    String answering = await(answerer, "opened ").substring("opened ".length());
    asker.sendLine("connect " + answering);
    answerer.sendLine("connect " + asking);
    String _ = await(asker, "connected");
    String _ = await(answerer, "connected");
  }

  private static String await(HostProcess station, String prefix) {
    return station.awaitLine(line -> line.startsWith(prefix), PATIENCE);
  }

  Run roundTrips(int bytes, int count) {
    tell("ask", "answer", bytes, count);
    return heard();
  }

  /** Round trips that begin when they are due, and count from then. */
  Run paced(int bytes, int count, long everyNs) {
    answerer.sendLine("answer %d %d".formatted(bytes, count));
    asker.sendLine("pace %d %d %d".formatted(bytes, count, everyNs));
    return heard();
  }

  Run flood(int bytes, int count) {
    tell("flood", "sink", bytes, count);
    return heard();
  }

  /** Questions beside long messages. */
  Run mix(Mix mix) {
    answerer.sendLine("take-mix " + mix.text());
    asker.sendLine("mix " + mix.text());
    return heard();
  }

  /** One round trip after a second of silence. */
  Run wake(int bytes) {
    tell("wake", "awake", bytes, 1);
    return heard();
  }

  /** Round trips, each after both ends have fallen asleep: code that runs rarely gets compiled. */
  void naps(int bytes, int count) {
    tell("nap", "answer", bytes, count);
    Run _ = heard();
  }

  /** Both ends wait until their compilers rest. */
  void settle() {
    asker.sendLine("settle");
    answerer.sendLine("settle");
    String _ = await(asker, "settled");
    String _ = await(answerer, "settled");
  }

  /** Both ends rest; {@link #heard} waits until they have. */
  void startRest(int ms) {
    tell("rest", "rest", 0, ms);
  }

  /** What the asking end has counted since it began. */
  Map<String, Long> counters() {
    asker.sendLine("count");
    return parse(await(asker, "counted "));
  }

  private void tell(String ask, String answer, int bytes, int count) {
    answerer.sendLine("%s %d %d".formatted(answer, bytes, count));
    asker.sendLine("%s %d %d".formatted(ask, bytes, count));
  }

  /** What the ends noted of the run that they were told. */
  Run heard() {
    return new Run(parse(await(asker, "took ")), parse(await(answerer, "took ")));
  }

  private static Map<String, Long> parse(String line) {
    String[] words = line.split(" ", -1);
    Map<String, Long> noted = new HashMap<>();
    for (int i = 0; i + 1 < words.length; i += 2) {
      noted.put(words[i], Long.parseLong(words[i + 1]));
    }
    return noted;
  }

  /** Lets both leave in peace; what does not is ended. */
  @Override
  public void close() {
    HostProcess.dismiss(List.of(asker, answerer), "end", END_PATIENCE);
  }
}

package io.busbar.bench.fabric;

import io.busbar.lab.bed.HostProcess;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The two processes of a measurement: one asks, the other answers. */
final class Stations implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Pattern RUN =
      Pattern.compile("took (\\d+) allocated (\\d+)(?: p50 (\\d+) p99 (\\d+))?");

  /** The asking end's JVM; spinning threads leave no core for a concurrent collector. */
  static final List<String> OPTIONS = List.of("-XX:+UseSerialGC", "-Xmx512m");

  private final HostProcess asker;
  private final HostProcess answerer;

  Stations(HostProcess asker, HostProcess answerer) {
    this.asker = asker;
    this.answerer = answerer;
  }

  /**
   * One run.
   *
   * @param tookNs at the asking end
   * @param p50Ns a round trip, 0 for a flood
   * @param p99Ns a round trip, 0 for a flood
   * @param allocatedBytes at the end that allocated more
   */
  record Run(long tookNs, long p50Ns, long p99Ns, long allocatedBytes) {}

  /** Opens both ends of a contender, and joins them. */
  void open(String contender) {
    String asking = tell(asker, "open " + contender, "opened ");
    String answering = tell(answerer, "open " + contender, "opened ");
    String _ = tell(asker, "connect %s %s".formatted(contender, answering), "connected");
    String _ = tell(answerer, "connect %s %s".formatted(contender, asking), "connected");
  }

  private static String tell(HostProcess station, String command, String prefix) {
    station.sendLine(command);
    return await(station, prefix).substring(prefix.length());
  }

  private static String await(HostProcess station, String prefix) {
    return station.awaitLine(line -> line.startsWith(prefix), PATIENCE);
  }

  Run roundTrips(String contender, int bytes, int count) {
    return run("ask", "answer", contender, bytes, count);
  }

  Run flood(String contender, int bytes, int count) {
    return run("flood", "sink", contender, bytes, count);
  }

  private Run run(String ask, String answer, String contender, int bytes, int count) {
    String what = " %s %d %d".formatted(contender, bytes, count);
    answerer.sendLine(answer + what);
    asker.sendLine(ask + what);
    Matcher asked = match(await(asker, "took "));
    Matcher answered = match(await(answerer, "took "));
    return new Run(
        Long.parseLong(asked.group(1)),
        asked.group(3) == null ? 0 : Long.parseLong(asked.group(3)),
        asked.group(4) == null ? 0 : Long.parseLong(asked.group(4)),
        Math.max(Long.parseLong(asked.group(2)), Long.parseLong(answered.group(2))));
  }

  private static Matcher match(String line) {
    Matcher matcher = RUN.matcher(line);
    if (!matcher.matches()) {
      throw new IllegalStateException("a station said \"%s\"".formatted(line));
    }
    return matcher;
  }

  @Override
  public void close() {
    asker.close();
    answerer.close();
  }
}

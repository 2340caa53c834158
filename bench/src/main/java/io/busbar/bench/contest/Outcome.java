package io.busbar.bench.contest;

import io.busbar.bench.Figure;
import io.busbar.bench.Rounds;
import java.util.Map;

/**
 * What was measured in turns, and the figures that can be made of it.
 *
 * @param bench the experiment
 * @param scene the {@code case}
 * @param bytes of a message of the first system
 * @param rounds the values by system: microseconds of a round trip, or messages a second
 * @param p99Us of round trips, the median over the rounds; by system, without those that failed
 * @param p999Us the same of the far tail
 * @param allocatedBytes a message, at the end that allocates more, in the best round; by system
 * @param n messages of one run of the first system
 */
public record Outcome(
    String bench,
    String scene,
    int bytes,
    Rounds rounds,
    Map<String, Double> p99Us,
    Map<String, Double> p999Us,
    Map<String, Double> allocatedBytes,
    long n) {
  private Figure plain(String metric, String unit, String better) {
    return Figure.plain(bench, scene, bytes, metric, unit, better).of(n, 0);
  }

  /** The same with other names of systems in what was measured in rounds. */
  public Outcome renamed(Map<String, String> names) {
    return new Outcome(
        bench, scene, bytes, rounds.renamed(names), p99Us, p999Us, allocatedBytes, n);
  }

  /** The same with the systems in the opposite order, the first one of which gets a name. */
  public Outcome reversed(String first) {
    return new Outcome(
        bench, scene, bytes, rounds.reversed(first), p99Us, p999Us, allocatedBytes, n);
  }

  /** The median round trip. */
  public Figure roundTrip() {
    return rounds.figure(plain("rtt_p50", "us", "lower"));
  }

  /** The round trip that one in a hundred exceeds. */
  public Figure tail() {
    Figure figure = plain("rtt_p99", "us", "lower");
    p99Us.forEach(figure::with);
    return figure;
  }

  /** The round trip that one in a thousand exceeds. */
  public Figure farTail() {
    Figure figure = plain("rtt_p999", "us", "lower");
    p999Us.forEach(figure::with);
    return figure;
  }

  /** Messages a second. */
  public Figure rate() {
    return rounds.figure(plain("rate", "messages/s", "higher"));
  }

  /** The same in bytes. */
  public Figure bandwidth() {
    return rounds.scaled(bytes / 1e6).figure(plain("bandwidth", "MB/s", "higher"));
  }

  /** What Busbar allocates for a message. */
  public Figure allocation() {
    return plain("bytes_per_message", "B", "lower").with("busbar", allocatedBytes.get("busbar"));
  }
}

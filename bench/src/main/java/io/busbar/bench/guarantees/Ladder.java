package io.busbar.bench.guarantees;

import io.busbar.bench.Bench;
import io.busbar.bench.Figure;
import io.busbar.bench.Rounds;
import io.busbar.bench.contest.Contest;
import io.busbar.bench.contest.Effort;
import io.busbar.bench.contest.Outcome;
import java.util.List;

/**
 * Steps from the least code that moves bytes up to messages, in one scene. All of them are measured
 * within each round, so that what a step adds is a difference of two neighbours in time.
 *
 * @param steps the lowest one first
 */
record Ladder(List<Step> steps) {
  private static final double US = 1e6;

  /** Over a carrier that loses frames and does not stop for the receiver. */
  static Ladder udp() {
    return new Ladder(
        List.of(
            new Step("floor", "bare-udp", "nothing: a connected socket, one call a message"),
            new Step("nic", "nic-udp", "buffer management: stages, chunks that can be kept, peers"),
            new Step("datagrams", "datagrams-udp", "associations: keys, checks, no datagram twice"),
            new Step("stream", "stream-udp", "order, repair and flow control, which are one here"),
            new Step("lane", "lane-udp", "records, credit that ends with their use, who drives"),
            new Step("messages", "messages-udp", "handlers, memory that is free at return")));
  }

  /** Over a carrier that keeps order and loses nothing: there is nothing to repair. */
  static Ladder shm() {
    return new Ladder(
        List.of(
            new Step("floor", "bare-ring", "order, no loss: a ring that one fills and one empties"),
            new Step("nic", "nic-shm", "buffer management: frames of any length, peers, deaths"),
            new Step("lane", "lane-shm", "flow control by credits, records, who drives"),
            new Step("messages", "messages-shm", "handlers")));
  }

  /** All of it in a contest that has no system yet. */
  Contest enter(Bench.Report report, Contest contest) {
    for (Step step : steps) {
      report.note("%s, %s adds".formatted(contest.scene(), step.system()), step.adds());
      contest.enter(step.system(), step.contender());
    }
    return contest.connect();
  }

  /** Messages of one size, there and back and one way, and what each step adds. */
  static void measure(Bench.Report report, Contest contest, int bytes, Effort effort) {
    Outcome trips = contest.roundTrips(contest.systems(), bytes, effort);
    report.figure(topFirst(trips).roundTrip());
    report.figure(added(trips, trips.rounds(), "rtt_added"));
    Outcome floods = contest.floods(contest.systems(), bytes, effort);
    report.figure(topFirst(floods).rate());
    report.figure(topFirst(floods).bandwidth());
    report.figure(added(floods, floods.rounds().inverse().scaled(US), "message_added"));
  }

  /** With the highest step first, as Busbar, so that its ratios to the others are taken. */
  private static Outcome topFirst(Outcome outcome) {
    return outcome.reversed("busbar");
  }

  private static Figure added(Outcome outcome, Rounds rounds, String metric) {
    Figure plain =
        Figure.plain(outcome.bench(), outcome.scene(), outcome.bytes(), metric, "us", "lower")
            .of(outcome.n(), 0);
    return rounds.steps().medians(plain);
  }
}

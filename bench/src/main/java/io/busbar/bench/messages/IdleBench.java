package io.busbar.bench.messages;

import io.busbar.bench.Aim;
import io.busbar.bench.Bench;
import io.busbar.bench.Figure;
import io.busbar.bench.Rounds;
import io.busbar.bench.contest.Contest;
import io.busbar.bench.contest.Effort;
import io.busbar.bench.contest.Hosts;
import io.busbar.bench.contest.Scene;
import java.util.List;
import java.util.Map;

/**
 * A node without traffic: what it costs, and how long a message takes that ends the silence. With
 * {@code -sleep} a thread waits for messages; without, the program does something else, and nobody
 * waits but the node's own caretaker.
 */
public final class IdleBench implements Bench {
  private static final int BYTES = 64;
  private static final int REST_MS = 3000;

  /** The experiment. */
  public IdleBench() {}

  @Override
  public String name() {
    return "idle";
  }

  @Override
  public String description() {
    return "a node without traffic: its share of a core, and a message after a second of silence";
  }

  @Override
  public void run(Report report, boolean quick) {
    try (Hosts hosts = Hosts.open(report)) {
      for (Scene scene : hosts.scenes()) {
        measure(report, quick, scene);
      }
    }
  }

  private void measure(Report report, boolean quick, Scene scene) {
    String contender = "messages-" + scene.name();
    try (Contest contest = new Contest(this, report, scene, quick)) {
      contest
          .enter("busbar", contender)
          .enter("waiting", contender + "-sleep")
          .enter("floor", "nothing")
          .enter("tcp-nio", "tcp-nio-sleep")
          .connect();
      // Otherwise code that never ran before would be measured, and not the way of a message.
      Effort warmUp = new Effort(Effort.of(quick).warmUpNs(), Effort.of(quick).runNs(), 1);
      var _ = contest.roundTrips(List.of("busbar", "waiting", "tcp-nio"), BYTES, warmUp);
      Rounds rests = contest.rests(contest.systems(), REST_MS, quick ? 3 : 10);
      Rounds wakes = contest.wakes(List.of("waiting", "tcp-nio"), BYTES, quick ? 7 : 25);
      String waits = scene.name() + "-sleep";
      report.figure(cpu(rests.only("busbar", "floor", "tcp-nio"), scene.name()));
      Map<String, String> names = Map.of("waiting", "busbar");
      report.figure(cpu(rests.only("waiting", "floor", "tcp-nio").renamed(names), waits));
      report.figure(
          wakes
              .renamed(names)
              .figure(
                  Figure.plain(name(), waits, BYTES, "wake_p50", "us", "lower").of(wakes.size(), 0))
              .aims(Aim.atMost(1.2, "tcp-nio")));
    }
  }

  private Figure cpu(Rounds rests, String scene) {
    return rests
        .figure(Figure.plain(name(), scene, 0, "cpu_percent", "%", "lower").of(rests.size(), 0))
        .aims(Aim.atMost(0.5));
  }
}

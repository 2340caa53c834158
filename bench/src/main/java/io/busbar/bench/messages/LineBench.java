package io.busbar.bench.messages;

import io.busbar.bench.Bench;
import io.busbar.bench.Figure;
import io.busbar.bench.contest.Contest;
import io.busbar.bench.contest.Effort;
import io.busbar.bench.contest.Hosts;
import io.busbar.bench.contest.Outcome;
import io.busbar.bench.contest.Scene;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How much of a line's payload limit a stream of messages delivers (A46), on cables of given rates.
 * The limit is what full UDP datagrams would carry on a line that counts whole Ethernet frames.
 */
public final class LineBench implements Bench {
  private static final int[] SIZES = {100, 1_000, 10_000, 100_000};
  private static final int[] SIZES_QUICK = {64, 64 << 10};
  private static final int FRAME_BYTES = 1500 + 14;

  /** The experiment. */
  public LineBench() {}

  @Override
  public String name() {
    return "line";
  }

  @Override
  public String description() {
    return "the share of a line of 100 Mbit/s to 5 Gbit/s that messages over udp and TCP deliver";
  }

  private static Map<String, Long> lines() {
    Map<String, Long> lines = new LinkedHashMap<>();
    lines.put("line-100m", 100_000_000L);
    lines.put("line-1g", 1_000_000_000L);
    lines.put("line-5g", 5_000_000_000L);
    return lines;
  }

  @Override
  public void run(Report report, boolean quick) {
    // What a line keeps for 50 ms is a small part of a run.
    Effort effort = new Effort(200_000_000, 500_000_000, quick ? 3 : 9);
    int[] sizes = quick ? SIZES_QUICK : SIZES;
    try (Hosts hosts = Hosts.open(report)) {
      hosts.ifTwo(
          bed ->
              lines()
                  .forEach(
                      (line, bitsPerSecond) -> {
                        bed.rate(bed.host(0), bitsPerSecond);
                        double limit = bitsPerSecond / 8.0 * Scene.ETHERNET_FRAME / FRAME_BYTES;
                        try (Contest contest = contest(report, Scene.udp(bed).named(line), quick)) {
                          for (int bytes : sizes) {
                            report.figure(share(contest, bytes, effort, limit));
                          }
                        }
                      }));
    }
  }

  private Contest contest(Report report, Scene scene, boolean quick) {
    return new Contest(this, report, scene, quick)
        .enter("busbar", "messages-udp")
        .enter("given", "messages-udp-give")
        .enter("tcp-nio", "tcp-nio")
        .connect();
  }

  private Figure share(Contest contest, int bytes, Effort effort, double limit) {
    Outcome outcome = contest.floods(contest.systems(), bytes, effort);
    Figure plain =
        Figure.plain(name(), contest.scene(), bytes, "line_share", "", "higher").of(outcome.n(), 0);
    return outcome.rounds().scaled(bytes / limit).figure(plain).also("limit_mb_s", limit / 1e6);
  }
}

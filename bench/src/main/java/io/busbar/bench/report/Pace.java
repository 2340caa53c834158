package io.busbar.bench.report;

import java.time.Duration;
import java.util.List;

/**
 * How far a run is, and how long it will still take: what experiments usually take, corrected by
 * what those that are over did take. Time is given, not read.
 */
final class Pace {
  private static final int BAR = 20;

  private final List<Duration> usual;
  private int done;
  private double usualDoneNs;
  private double tookNs;

  Pace(List<Duration> usual) {
    this.usual = usual;
  }

  /** The next one is over. */
  void onDone(long itTookNs) {
    usualDoneNs += usual.get(done).toNanos();
    tookNs += itTookNs;
    done++;
  }

  /** Time left when the present one has run for so long. */
  Duration left(long runningNs) {
    double factor = done == 0 ? 1 : tookNs / usualDoneNs;
    double leftNs = 0;
    for (int i = done; i < usual.size(); i++) {
      double its = usual.get(i).toNanos() * factor;
      leftNs += i == done ? Math.max(its - runningNs, its / 10) : its;
    }
    return Duration.ofNanos((long) leftNs);
  }

  /** A bar, how many are over, and the time left. */
  String line(long runningNs) {
    double leftNs = left(runningNs).toNanos();
    double passedNs = tookNs + runningNs;
    int filled = (int) (BAR * passedNs / Math.max(passedNs + leftNs, 1));
    return "[%s%s] %d/%d, %s left"
        .formatted(
            "#".repeat(filled),
            "-".repeat(BAR - filled),
            done,
            usual.size(),
            words(left(runningNs)));
  }

  private static String words(Duration left) {
    long seconds = left.toSeconds();
    return seconds < 90 ? "about " + seconds + " s" : "about " + (seconds + 30) / 60 + " min";
  }
}

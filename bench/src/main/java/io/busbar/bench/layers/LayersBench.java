package io.busbar.bench.layers;

import io.busbar.bench.Bench;
import io.busbar.bench.Figure;
import io.busbar.bench.Rounds;
import io.busbar.bench.contest.Contest;
import io.busbar.bench.contest.Effort;
import io.busbar.bench.contest.Hosts;
import io.busbar.bench.contest.Outcome;
import io.busbar.bench.contest.Scene;

/**
 * What share of messages each face delivers, and what share of the fabric messages deliver, by size
 * (D23). Messages are those of one call to a handler that has the whole of them. A share of a round
 * trip is the time below over the time above, one of bandwidth the bytes above over those below: 1
 * is as good, less is worse.
 */
public final class LayersBench implements Bench {
  private static final int[] SIZES = {16, 64, 256, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 128 << 10};
  private static final int[] SIZES_QUICK = {64, 64 << 10};
  private static final String MESSAGES = "messages";
  private static final String FABRIC = "fabric";

  /** The experiment. */
  public LayersBench() {}

  @Override
  public String name() {
    return "layers";
  }

  @Override
  public String description() {
    return "the share of messages that each face delivers, and of the fabric that messages deliver";
  }

  @Override
  public void run(Report report, boolean quick) {
    Face.ALL.forEach(face -> report.note(face.name(), face.how()));
    try (Hosts hosts = Hosts.open(report)) {
      hosts.scenes().forEach(scene -> measure(report, scene, quick));
    }
  }

  private void measure(Report report, Scene scene, boolean quick) {
    Effort effort = Effort.ofMany(quick);
    try (Contest contest = enter(new Contest(this, report, scene, quick))) {
      for (int bytes : quick ? SIZES_QUICK : SIZES) {
        measure(report, contest, bytes, effort);
        effort = Effort.ofMany(quick).warm();
      }
    }
  }

  static Contest enter(Contest contest) {
    String fabric = contest.scene();
    contest.enter(MESSAGES, Face.WHOLE.over(fabric)).enter(FABRIC, "nic-" + fabric);
    for (Face face : Face.ALL) {
      contest.enter(face.name(), face.over(fabric));
    }
    return contest.connect();
  }

  static void measure(Report report, Contest contest, int bytes, Effort effort) {
    shares(report, contest.roundTrips(contest.systems(), bytes, effort), "rtt_p50", true);
    shares(report, contest.floods(contest.systems(), bytes, effort), "bandwidth", false);
  }

  private static void shares(Report report, Outcome outcome, String by, boolean lower) {
    Rounds rounds = outcome.rounds();
    String[] faces = Face.ALL.stream().map(Face::name).toArray(String[]::new);
    Rounds ofMessages = rounds.shares(MESSAGES, lower).only(faces);
    Rounds ofFabric = rounds.shares(FABRIC, lower).only(MESSAGES);
    report.figure(ofFabric.medians(plain(outcome, by, FABRIC)));
    report.figure(ofMessages.medians(plain(outcome, by, MESSAGES)));
  }

  private static Figure plain(Outcome outcome, String by, String of) {
    return Figure.plain(outcome.bench(), outcome.scene(), outcome.bytes(), "share", "", "higher")
        .label("by", by)
        .label("of", of)
        .of(outcome.n(), 0);
  }
}

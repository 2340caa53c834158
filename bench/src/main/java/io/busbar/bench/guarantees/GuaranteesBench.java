package io.busbar.bench.guarantees;

import io.busbar.bench.Bench;
import io.busbar.bench.contest.Contest;
import io.busbar.bench.contest.Effort;
import io.busbar.bench.contest.Hosts;
import io.busbar.bench.contest.Scene;

/**
 * What order, repair, flow control and buffer management cost (D), added one by one from a bare
 * call to messages. Over udp the transport's stream has order, repair and flow control as one: they
 * ride on the same numbers and answers, and none of them can be had alone. Over shm the ring itself
 * keeps order and loses nothing, so there flow control is a step of its own.
 */
public final class GuaranteesBench implements Bench {
  private static final int[] SIZES = {64, 1 << 10, 16 << 10, 64 << 10};
  private static final int[] SIZES_QUICK = {64, 64 << 10};

  /** The experiment. */
  public GuaranteesBench() {}

  @Override
  public String name() {
    return "guarantees";
  }

  @Override
  public String description() {
    return "what buffers, associations, order with repair and credits, and handlers each cost";
  }

  @Override
  public void run(Report report, boolean quick) {
    try (Hosts hosts = Hosts.open(report)) {
      measure(report, Ladder.shm(), hosts.shm(), quick);
      hosts.ifTwo(bed -> measure(report, Ladder.udp(), Scene.udp(bed), quick));
    }
  }

  private void measure(Report report, Ladder ladder, Scene scene, boolean quick) {
    Effort effort = Effort.ofMany(quick);
    try (Contest contest = ladder.enter(report, new Contest(this, report, scene, quick))) {
      for (int bytes : quick ? SIZES_QUICK : SIZES) {
        Ladder.measure(report, contest, bytes, effort);
        effort = Effort.ofMany(quick).warm();
      }
    }
  }
}

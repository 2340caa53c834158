package io.busbar.cli;

import java.util.Locale;

/** What the runs of the lab add up to. */
final class LabTotals {
  private long seeds;
  private long nodes;
  private long frames;
  private long messages;
  private long repairs;
  private long virtualNs;
  private long violations;

  void add(LabRun run) {
    seeds++;
    nodes += run.nodes();
    frames += run.frames();
    messages += run.messages();
    repairs += run.repairs();
    virtualNs += run.virtualNs();
    violations += run.violation() == null ? 0 : 1;
  }

  long seeds() {
    return seeds;
  }

  long frames() {
    return frames;
  }

  /** All of it, for people. */
  String text() {
    return String.format(
        Locale.ROOT,
        "%,d seeds, %,d nodes, %,.0f s of virtual time, %,d frames, %,d messages, %,d repairs,"
            + " %,d violations",
        seeds,
        nodes,
        virtualNs / 1e9,
        frames,
        messages,
        repairs,
        violations);
  }
}

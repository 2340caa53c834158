package io.busbar.bench;

import com.sun.management.ThreadMXBean;
import io.busbar.lab.LinkSpec;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.List;

/** The state machine alone: its cost per frame, its state, and how it fares on a simulated line. */
final class TransportBench implements Bench {
  private static final int PAYLOAD = 1024;
  private static final long MS = 1_000_000;

  /** Kept, because asking for it allocates more than a million frames do. */
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @Override
  public String name() {
    return "transport";
  }

  @Override
  public String description() {
    return "CPU and allocation per frame, bytes per association, goodput under loss, many to one";
  }

  @Override
  public void run(Report report, boolean quick) {
    perFrame(report, quick);
    state(report, quick);
    loss(report, quick);
    slowLines(report, quick);
    manyToOne(report, quick);
  }

  private void perFrame(Report report, boolean quick) {
    report.progress("CPU per frame, both ends, beside a copy of 1 KB");
    BackToBack pair = new BackToBack(PAYLOAD);
    Copies copies = new Copies();
    int frames = quick ? 100_000 : 400_000;
    Rounds rounds =
        new Rounds()
            .system("busbar", () -> nsPer(() -> pair.move(frames)))
            .system("floor", () -> nsPer(() -> copies.run(4 * frames)))
            .run(quick ? 10 : 20, quick ? 15 : 31);
    report.figure(
        rounds.figure(
            Figure.plain(name(), "sim", PAYLOAD, "ns_per_frame", "ns", "lower")
                .of(frames, 0)
                .aims(Aim.atMost(10, "floor"))));
    long moved = 1_000_000;
    double each = Double.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      long before = allocatedBytes();
      pair.move((int) moved);
      each = Math.min(each, (double) (allocatedBytes() - before) / moved);
    }
    report.figure(
        Figure.plain(name(), "sim", PAYLOAD, "bytes_per_frame", "B", "lower")
            .with("busbar", each)
            .of(moved, 0)
            .aims(Aim.zero()));
  }

  private interface Work {
    long run();
  }

  private static double nsPer(Work work) {
    long start = System.nanoTime();
    long count = work.run();
    return (double) (System.nanoTime() - start) / count;
  }

  private static long allocatedBytes() {
    return THREADS.getCurrentThreadAllocatedBytes();
  }

  /** The floor: a kilobyte copied from one buffer to the next, through as much memory as a wire. */
  private static final class Copies {
    private final MemorySegment from = Arena.ofAuto().allocate(64 * 2048L);
    private final MemorySegment to = Arena.ofAuto().allocate(64 * 2048L);

    long run(int count) {
      for (int i = 0; i < count; i++) {
        long at = (i & 63) * 2048L;
        MemorySegment.copy(from, at, to, at, PAYLOAD);
      }
      return count;
    }
  }

  private void state(Report report, boolean quick) {
    int idle = 1_000_000;
    report.progress("memory of " + idle + " associations at rest");
    double bytes = new StateSize(idle).idleBytes();
    report.figure(
        Figure.plain(name(), "sim-idle", 0, "state_bytes", "B", "lower")
            .with("busbar", bytes)
            .of(idle, 0)
            .aims(Aim.atMost(160)));
    int active = quick ? 10_000 : 50_000;
    report.progress("memory of " + active + " associations in use");
    StateSize size = new StateSize(active);
    double rest = size.idleBytes();
    report.figure(
        Figure.plain(name(), "sim-active", 0, "state_bytes", "B", "lower")
            .with("busbar", rest + size.activeBytes())
            .of(active, 0));
  }

  private void loss(Report report, boolean quick) {
    long forNs = (quick ? 100 : 400) * MS;
    double lossless = 0;
    double[] losses = {0, 0.001, 0.01, 0.05};
    double[] aims = {0, 0.98, 0.90, 0.60};
    for (int i = 0; i < losses.length; i++) {
      report.progress("10 Gbit/s, 20 us, " + losses[i] * 100 + " % loss");
      double share = new SimulatedLine(1, losses[i], 7).run(20 * MS, forNs);
      lossless = i == 0 ? share : lossless;
      report.figure(
          Figure.plain(name(), "sim-10g", 0, "goodput_share", "", "higher")
              .with("busbar", share / lossless)
              .also("of_line", share)
              .also("loss", losses[i])
              .of(forNs / MS, 0)
              .aims(i == 0 ? List.of() : List.of(Aim.atLeast(aims[i]))));
    }
  }

  /** Where a frame takes as long to leave as a round trip, the window is a few frames. */
  private void slowLines(Report report, boolean quick) {
    long forNs = (quick ? 200 : 800) * MS;
    long[] rates = {100_000_000L, 1_000_000_000L};
    String[] scenes = {"sim-100m", "sim-1g"};
    for (int i = 0; i < rates.length; i++) {
      report.progress(scenes[i] + ", 20 us");
      LinkSpec link = new LinkSpec(rates[i], 10_000, 100, 256);
      double share = new SimulatedLine(1, 0, 7, link).run(50 * MS, forNs);
      report.figure(
          Figure.plain(name(), scenes[i], 0, "goodput_share", "", "higher")
              .with("busbar", share)
              .also("loss", 0)
              .of(forNs / MS, 0));
    }
  }

  private void manyToOne(Report report, boolean quick) {
    long forNs = (quick ? 200 : 800) * MS;
    int[] senders = quick ? new int[] {16} : new int[] {2, 16, 64, 256};
    for (int count : senders) {
      report.progress(count + " senders to one receiver");
      SimulatedLine line = new SimulatedLine(count, 0, 11);
      double share = line.run(50 * MS, forNs);
      String scene = "sim-10g-n" + count;
      report.figure(
          Figure.plain(name(), scene, 0, "goodput_share", "", "higher")
              .with("busbar", share)
              .also("peers", count)
              .also("overflows", (double) line.overflows())
              .of(forNs / MS, 0)
              .aims(count == 16 ? List.of(Aim.atLeast(0.90)) : List.of()));
      report.figure(
          Figure.plain(name(), scene, 0, "fairness", "", "higher")
              .with("busbar", line.fairness())
              .also("peers", count)
              .of(forNs / MS, 0)
              .aims(count == 16 ? List.of(Aim.atLeast(0.90)) : List.of()));
    }
  }
}

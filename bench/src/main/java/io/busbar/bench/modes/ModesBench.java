package io.busbar.bench.modes;

import com.sun.management.ThreadMXBean;
import io.busbar.bench.Aim;
import io.busbar.bench.Bench;
import io.busbar.bench.Figure;
import io.busbar.bench.Rounds;
import io.busbar.fabric.modes.ReceiveMode;
import io.busbar.fabric.modes.SendMode;
import io.busbar.linux.SystemCallException;
import io.busbar.memory.Crossover;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntToDoubleFunction;

/**
 * Every way to send and to receive by size, against a peer that takes no time (C16). Once for the
 * call alone, and once for an application that fills what it sends and reads what it receives: what
 * DIRECT and EXCHANGE put off shows only there.
 */
public final class ModesBench implements Bench {
  private static final int[] SIZES = {
    64, 256, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20
  };
  private static final int[] SIZES_QUICK = {64, 1 << 10, 4 << 10, 64 << 10, 1 << 20, 16 << 20};
  private static final int[] DATAGRAMS = {1 << 10, 4 << 10, 32 << 10};
  private static final int LARGE_FROM = 1 << 20;
  private static final int ALLOCATION_BYTES = 64 << 10;
  private static final String FLOOR = "floor";
  private static final double MB = 1e6;
  private static final int WARM_UP_RUNS = 10;

  /** After so many calls they are compiled, also where the compilers have little of a core. */
  private static final int CALLS_COMPILED = 50_000;

  /** Kept, because asking for it allocates. */
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** The experiment. */
  public ModesBench() {}

  @Override
  public String name() {
    return "modes";
  }

  @Override
  public String description() {
    return "each way to send and to receive by size, beside a copy, against an infinite peer";
  }

  @Override
  public void run(Report report, boolean quick) {
    notes(report);
    boolean large = crossovers(report);
    boolean virtual = canReadAcross(report);
    for (boolean touched : new boolean[] {false, true}) {
      for (int bytes : quick ? SIZES_QUICK : SIZES) {
        Modes modes = new Modes(virtual, large && bytes >= LARGE_FROM, touched);
        measure(report, bytes, modes, quick ? 20_000_000 : 60_000_000, quick ? 7 : 25);
      }
    }
    for (int bytes : DATAGRAMS) {
      datagrams(report, bytes, quick ? 20_000_000 : 60_000_000, quick ? 7 : 25);
    }
  }

  /** VIRTUAL over UDP beside a plain send, and whether the kernel copied all the same. */
  void datagrams(Report report, int bytes, long runNs, int rounds) {
    report.progress("%d bytes over udp on loopback".formatted(bytes));
    try (UdpRig rig = new UdpRig(bytes)) {
      int count = warmUp(rig::inPlace, runNs);
      int plainCount = warmUp(rig::plain, runNs);
      Rounds all =
          new Rounds()
              .system("busbar", () -> rig.inPlace(count) * bytes / MB)
              .system(FLOOR, () -> rig.plain(plainCount) * bytes / MB)
              .run(1, rounds);
      report.figure(
          all.figure(
                  Figure.plain(name(), "udp-send-virtual", bytes, "bandwidth", "MB/s", "higher")
                      .of((long) count * rounds, 0))
              .also("copied_share", rig.copiedShare()));
    }
  }

  /** What is measured. */
  record Modes(boolean virtual, boolean large, boolean touched) {}

  private static boolean canReadAcross(Report report) {
    try (Rig rig = new Rig(LARGE_FROM, false, false)) {
      boolean can = rig.virtualRefusal().isEmpty();
      if (!can) {
        report.missing("virtual", rig.virtualRefusal());
      }
      return can;
    }
  }

  private static void notes(Report report) {
    report.note(
        "modes",
        "both ends in one thread; bandwidth is the call alone, with the other end passing over the"
            + " message or saying where it is; bandwidth_touched is with an application that fills"
            + " or reads every byte; floor is a copy from one buffer to another, touched alike");
    report.note(
        "direct, virtual",
        "the call moves nothing when sending, so its time is the same for all sizes");
    report.note("pio", "messages longer than 4 KB are cut into packets");
    report.note(
        "udp-send-virtual",
        "MSG_ZEROCOPY over loopback until the memory is free again, beside a plain send; the"
            + " receiver takes one byte of each; copied_share is what the kernel copied all the same");
    report.note("exchange", "forced from one page on; below, it copies");
  }

  /**
   * From where on exchange pays, as a channel finds at its start; whether there are large pages.
   */
  private boolean crossovers(Report report) {
    report.progress("the crossover between copying and page exchange");
    crossover(report, Crossover.measure(), "");
    try {
      crossover(report, Crossover.measureLarge(), "-2mb");
      return true;
    } catch (SystemCallException e) {
      report.missing("exchange-2mb", Objects.requireNonNullElse(e.getMessage(), "?"));
      return false;
    }
  }

  private void crossover(Report report, Crossover crossover, String suffix) {
    report.progress(crossover.toString());
    report.figure(crossover("shm-send-exchange" + suffix, crossover.sendBytes()));
    report.figure(crossover("shm-receive-exchange" + suffix, crossover.receiveBytes()));
  }

  /** Null when it never pays, up to 16 MB. */
  private Figure crossover(String scene, long bytes) {
    return Figure.plain(name(), scene, 0, "crossover_bytes", "B", "lower")
        .with("busbar", bytes == Crossover.NEVER ? null : (double) bytes);
  }

  /** All modes of one size, in rounds that hold all of them. */
  void measure(Report report, int bytes, Modes modes, long runNs, int rounds) {
    report.progress("%d bytes%s".formatted(bytes, modes.touched ? ", filled and read" : ""));
    try (Rig rig = new Rig(bytes, modes.touched, false);
        Rig large = modes.large ? new Rig(bytes, modes.touched, true) : null) {
      Map<String, IntToDoubleFunction> sends = new LinkedHashMap<>();
      for (SendMode mode : SendMode.values()) {
        sends.put(lower(mode), count -> rig.sends(mode, count));
      }
      Map<String, IntToDoubleFunction> receives = new LinkedHashMap<>();
      for (ReceiveMode mode : ReceiveMode.values()) {
        receives.put(lower(mode), count -> rig.receives(mode, count));
      }
      if (!modes.virtual) {
        sends.remove("virtual");
        receives.remove("virtual");
      }
      if (large != null) {
        sends.put("exchange-2mb", count -> large.sends(SendMode.EXCHANGE, count));
        receives.put("exchange-2mb", count -> large.receives(ReceiveMode.EXCHANGE, count));
      }
      String metric = modes.touched ? "bandwidth_touched" : "bandwidth";
      sends.put(FLOOR, count -> rig.copies(true, count));
      receives.put(FLOOR, count -> rig.copies(false, count));
      contest(report, "shm-send-", sends, bytes, metric, runNs, rounds);
      contest(report, "shm-receive-", receives, bytes, metric, runNs, rounds);
    }
  }

  private static String lower(Enum<?> mode) {
    return mode.name().toLowerCase(Locale.ROOT);
  }

  private void contest(
      Report report,
      String prefix,
      Map<String, IntToDoubleFunction> systems,
      int bytes,
      String metric,
      long runNs,
      int count) {
    Rounds rounds = new Rounds();
    Map<String, Integer> counts = new LinkedHashMap<>();
    systems.forEach(
        (name, run) -> {
          counts.put(name, warmUp(run, runNs));
          rounds.system(name, () -> run.applyAsDouble(counts.getOrDefault(name, 1)) * bytes / MB);
        });
    rounds.run(1, count);
    systems.forEach(
        (name, run) -> {
          if (!name.equals(FLOOR)) {
            int messages = counts.getOrDefault(name, 1);
            Figure plain =
                Figure.plain(name(), prefix + name, bytes, metric, "MB/s", "higher")
                    .of((long) messages * count, 0);
            report.figure(rounds.only(name, FLOOR).renamed(Map.of(name, "busbar")).figure(plain));
            if (bytes == ALLOCATION_BYTES && metric.equals("bandwidth")) {
              report.figure(allocation(prefix + name, run, messages));
            }
          }
        });
  }

  /** Lets the compilers do their work; how many messages fill a run. */
  private static int warmUp(IntToDoubleFunction run, long runNs) {
    int count = 1;
    long start = System.nanoTime();
    while (System.nanoTime() - start < WARM_UP_RUNS * runNs) {
      double rate = run.applyAsDouble(count);
      count = (int) Math.clamp((long) (rate * runNs / 1e9), 1, Math.min(4L * count, 1 << 20));
    }
    return count;
  }

  /** What a call allocates is asked of compiled calls: interpreted ones of the kernel do. */
  private Figure allocation(String scene, IntToDoubleFunction run, int messages) {
    double least = Double.MAX_VALUE;
    for (int i = 0; i < 5 || (least > 0 && i * (long) messages < CALLS_COMPILED); i++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      double _ = run.applyAsDouble(messages);
      long bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
      least = Math.min(least, (double) bytes / messages);
    }
    return Figure.plain(name(), scene, ALLOCATION_BYTES, "bytes_per_message", "B", "lower")
        .with("busbar", least)
        .of(messages, 0)
        .aims(Aim.zero());
  }
}

package io.busbar.messages;

/**
 * Stops all Java threads of this process, as a long garbage collection does: a collection has to
 * wait for a loop in which compiled code never asks whether it shall stop.
 */
final class Pause {
  /** Without them the loop is asked to stop. */
  static final String[] OPTIONS = {
    "-XX:+UseSerialGC",
    "-XX:-TieredCompilation",
    "-XX:-UseCountedLoopSafepoints",
    "-XX:LoopStripMiningIter=0",
    "-XX:CompileCommand=quiet",
    "-XX:CompileCommand=BackgroundCompilation,io.busbar.messages.Pause::spin,false"
  };

  private static final long TURN_NS = 1_000_000;
  private static final long WARM_TURNS = 2_000_000;
  private static final int ATTEMPTS = 5;

  private volatile boolean spinning;
  private volatile boolean over;
  private volatile long gapNs;

  private static int spin(long ns) {
    long startNs = System.nanoTime();
    int turns;
    for (turns = 0; turns < Integer.MAX_VALUE; turns++) {
      if (System.nanoTime() - startNs >= ns) {
        break;
      }
    }
    return turns;
  }

  /** Has the loop compiled. */
  static void warmUp() {
    long turns = 0;
    while (turns < WARM_TURNS) {
      turns += spin(TURN_NS);
    }
  }

  /**
   * Stops all for so long; for how long another thread stood still, which is the proof. Once more
   * if the collection came before the loop had begun.
   */
  static long of(long ns) throws InterruptedException {
    long gapNs = 0;
    for (int i = 0; i < ATTEMPTS && gapNs < ns / 2; i++) {
      gapNs = new Pause().once(ns);
    }
    return gapNs;
  }

  private long once(long ns) throws InterruptedException {
    Thread witness = Thread.ofPlatform().name("witness").start(this::watch);
    Thread spinner = Thread.ofPlatform().name("spinner").start(() -> spinFor(ns));
    while (!spinning) {
      Thread.onSpinWait();
    }
    System.gc();
    spinner.join();
    over = true;
    witness.join();
    return gapNs;
  }

  private void spinFor(long ns) {
    spinning = true;
    if (spin(ns) == Integer.MAX_VALUE) {
      throw new AssertionError("too short");
    }
  }

  private void watch() {
    long lastNs = System.nanoTime();
    while (!over) {
      long nowNs = System.nanoTime();
      gapNs = Math.max(gapNs, nowNs - lastNs);
      lastNs = nowNs;
      Thread.onSpinWait();
    }
  }
}

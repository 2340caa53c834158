package io.busbar.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.node.IdleChild.Program;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node over shared memory and UDP that has nothing to do costs less than 0.5 % of a core. */
@Timeout(120)
class IdleCostTest {
  private static final double SHARE_MAX = 0.005;
  private static final long WINDOW_MS = 2_500; // longer than a sign of life
  private static final int WINDOWS_MAX = 10;

  @TempDir Path computing;
  @TempDir Path waiting;

  /** A window of time in which a child costs what it does. */
  private static final class Window {
    private final IdleChild child;
    private final long startNs = System.nanoTime();
    private final long ranNs;

    Window(IdleChild child) throws IOException {
      this.child = child;
      this.ranNs = child.cpuNs();
    }

    /** The share of a core that each of its nodes took. */
    double share() throws IOException {
      long ns = child.cpuNs() - ranNs;
      assertThat(ns).as("ns; a JVM is never quite idle").isPositive();
      return (double) ns / (System.nanoTime() - startNs) / IdleChild.NODES;
    }
  }

  /** The least of some windows: what the virtual machine does when it starts is not the node's. */
  @Test
  void idleNodeCostsLittle() throws Exception {
    try (IdleChild computes = new IdleChild(Program.COMPUTES, computing);
        IdleChild waits = new IdleChild(Program.WAITS, waiting)) {
      computes.awaitReady();
      waits.awaitReady();
      double computesShare = 1;
      double waitsShare = 1;
      for (int i = 0; i < WINDOWS_MAX && Math.max(computesShare, waitsShare) >= SHARE_MAX; i++) {
        Window one = new Window(computes);
        Window other = new Window(waits);
        TimeUnit.MILLISECONDS.sleep(WINDOW_MS);
        computesShare = Math.min(computesShare, one.share());
        waitsShare = Math.min(waitsShare, other.share());
      }
      System.out.printf(
          Locale.ROOT,
          "an idle node: %.3f %% of a core while its program computes, %.3f %% while it waits%n",
          100 * computesShare,
          100 * waitsShare);
      assertThat(computesShare).as("share of a core while it computes").isLessThan(SHARE_MAX);
      assertThat(waitsShare).as("share of a core while it waits").isLessThan(SHARE_MAX);
    }
  }
}

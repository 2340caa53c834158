package io.busbar.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.node.IdleChild.Program;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node over shared memory and UDP that has nothing to do costs less than 0.5 % of a core. A
 * member of a bus answers and asks five times a second, and in its first minute that is interpreted
 * code: it may cost twice as much.
 */
@Timeout(120)
class IdleCostTest {
  private static final double SHARE_MAX = 0.005;
  private static final double MEMBER_SHARE_MAX = 0.010;
  private static final long WINDOW_MS = 2_500; // longer than a sign of life
  private static final int WINDOWS_MAX = 10;

  @TempDir Path computing;
  @TempDir Path waiting;
  @TempDir Path finding;

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
        IdleChild waits = new IdleChild(Program.WAITS, waiting);
        IdleChild found = new IdleChild(Program.FOUND, finding)) {
      List<IdleChild> all = List.of(computes, waits, found);
      for (IdleChild one : all) {
        one.awaitReady();
      }
      double[] shares = {1, 1, 1};
      for (int i = 0; i < WINDOWS_MAX && !areLow(shares); i++) {
        List<Window> windows = new ArrayList<>();
        for (IdleChild one : all) {
          windows.add(new Window(one));
        }
        TimeUnit.MILLISECONDS.sleep(WINDOW_MS);
        for (int one = 0; one < shares.length; one++) {
          shares[one] = Math.min(shares[one], windows.get(one).share());
        }
      }
      System.out.printf(
          Locale.ROOT,
          "an idle node: %.3f %% of a core while its program computes, %.3f %% while it waits,"
              + " %.3f %% while it computes as a member%n",
          100 * shares[0],
          100 * shares[1],
          100 * shares[2]);
      assertThat(shares[0]).as("share of a core while it computes").isLessThan(SHARE_MAX);
      assertThat(shares[1]).as("share of a core while it waits").isLessThan(SHARE_MAX);
      assertThat(shares[2]).as("share of a core of a member").isLessThan(MEMBER_SHARE_MAX);
    }
  }

  private static boolean areLow(double[] shares) {
    return shares[0] < SHARE_MAX && shares[1] < SHARE_MAX && shares[2] < MEMBER_SHARE_MAX;
  }
}

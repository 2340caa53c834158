package io.busbar.messages;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A ring of shared memory is full, because its reader stands still: who waits for room sleeps, and
 * so does who sends for a handler; what was said arrives when the reader goes on.
 */
@Timeout(60)
class FullRingTest extends Nodes {
  private static final int LENGTH = 64;
  private static final long WINDOW_MS = 300;
  private static final int WINDOWS = 20;

  private final int[] heard = new int[1];
  private int sent;

  /** Node 1 takes nothing while this test has its driver's role. */
  private void fill() {
    nodes.get(1).node().take();
    Messages a = nodes.get(0);
    MemorySegment bytes = pattern(LENGTH, 0);
    while (a.trySend(1, Handler.named("take"), bytes, 0, LENGTH)) {
      sent++;
    }
    assertThat(sent).as("less than credit would allow").isBetween(500, 5_000);
  }

  private static long cpuNs() {
    return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos();
  }

  /** The least share of a core that this process needs: compilers may be busy for a while. */
  private static double leastShare() throws InterruptedException {
    double least = Double.MAX_VALUE;
    for (int i = 0; i < WINDOWS && least > 0.1; i++) {
      long cpuNs = cpuNs();
      long startNs = System.nanoTime();
      TimeUnit.MILLISECONDS.sleep(WINDOW_MS);
      cpuNs = cpuNs() - cpuNs;
      least = Math.min(least, (double) cpuNs / (System.nanoTime() - startNs));
    }
    return least;
  }

  private void hearAll() throws InterruptedException {
    nodes.get(1).node().release();
    assertThat(nodes.get(1).await(() -> heard[0] == sent, 20 * SECOND_NS))
        .as("%d of %d", heard[0], sent)
        .isTrue();
  }

  @Test
  void whoWaitsForRoomSleeps() throws Exception {
    join("shm", 2);
    Handler take = nodes.get(1).handler("take", (_, _) -> heard[0]++);
    fill();
    Future<?> waits =
        threads.submit(() -> nodes.get(0).send(1, take, pattern(LENGTH, 1), 0, LENGTH));
    assertThat(leastShare()).as("share of a core").isLessThan(0.2);
    assertThat(waits).isNotDone();
    sent++;
    hearAll();
    Object _ = waits.get(20, TimeUnit.SECONDS);
  }

  @Test
  void whatAHandlerSaidWaitsWithoutAnybodysWork() throws Exception {
    join("shm", 2);
    Messages a = nodes.get(0);
    Handler take = nodes.get(1).handler("take", (_, _) -> heard[0]++);
    boolean[] done = new boolean[1];
    Handler run =
        a.handler(
            "run",
            (_, _) -> {
              a.send(1, take, pattern(LENGTH, 1), 0, LENGTH);
              done[0] = true;
            });
    nodes.get(1).send(0, run, 1, 2, 3, 4);
    fill();
    assertThat(a.await(() -> done[0], 20 * SECOND_NS)).isTrue();
    sent++;
    assertThat(leastShare()).as("share of a core").isLessThan(0.2);
    hearAll();
  }
}

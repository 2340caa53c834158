package io.busbar.node.stat;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.testkit.AllocationMeter;
import io.busbar.wire.Blocked;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The hot path: no half of a change is seen, and nothing is allocated. */
@Timeout(120)
class StatRowsTest {
  private static final long LOOK_NS = 3_000_000_000L;

  /** On a busy machine reader and writer meet less often. */
  private static final long PATIENCE_NS = 60_000_000_000L;

  private static final int ENOUGH = 100;
  private static final StatOwner OWNER = new StatOwner(1, "rows", 1, 1);

  @TempDir Path folder;

  private static void all(PeerRow row, long number) {
    row.begin();
    row.bytesIn(number);
    row.bytesOut(number);
    row.messagesIn(number);
    row.messagesOut(number);
    row.repairs(number);
    row.stalls(number);
    row.roundTripNs(number);
    row.waitingBytes(number);
    if (number % 64 == 0) {
      row.fabric(Long.toString(number % 10_000_000));
    }
    row.end();
  }

  private static void assertWhole(PeerSnapshot peer) {
    long number = peer.bytesIn();
    assertThat(
            LongStream.of(
                peer.bytesOut(),
                peer.messagesIn(),
                peer.messagesOut(),
                peer.repairs(),
                peer.stalls(),
                peer.roundTripNs(),
                peer.waitingBytes()))
        .containsOnly(number);
    assertThat(peer.fabric()).isEqualTo(Long.toString(number / 64 * 64 % 10_000_000));
  }

  /** The writer changes without a pause, the hardest case for a reader. */
  @Test
  void noHalfOfAChangeIsSeen() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    int seen = 0;
    long last = 0;
    try (StatFile stat = StatFile.create(folder, OWNER);
        ExecutorService threads = Executors.newSingleThreadExecutor()) {
      PeerRow row = stat.row(5);
      all(row, 0);
      Future<?> writer =
          threads.submit(
              () -> {
                for (long number = 1; !over.get(); number++) {
                  all(row, number);
                }
              });
      try {
        long startNs = System.nanoTime();
        for (long ns = 0; ns < LOOK_NS || (seen <= ENOUGH && ns < PATIENCE_NS); ) {
          NodeSnapshot node = (NodeSnapshot) StatReader.read(stat.path());
          for (PeerSnapshot peer : node.peers()) {
            assertWhole(peer);
            assertThat(peer.bytesIn()).isGreaterThanOrEqualTo(last);
            last = peer.bytesIn();
            seen++;
          }
          ns = System.nanoTime() - startNs;
        }
      } finally {
        over.set(true);
        writer.get();
      }
    }
    assertThat(last).as("the writer ran").isPositive();
    assertThat(seen).as("reads that found a moment between two changes").isGreaterThan(ENOUGH);
  }

  @Test
  void settersAllocateNothing() {
    try (StatFile stat = StatFile.create(folder, OWNER)) {
      int slot = stat.register("counter");
      PeerRow row = stat.row(5);
      long[] n = {0};
      new AllocationMeter()
          .assertAllocatesNothing(
              () -> {
                n[0]++;
                stat.set(slot, n[0]);
                stat.add(slot, 3);
                stat.tick(n[0], n[0]);
                row.begin();
                row.received(100);
                row.sent(100);
                row.repairs(n[0]);
                row.stalls(n[0]);
                row.roundTripNs(n[0]);
                row.waitingBytes(n[0]);
                row.end();
                row.blocked((n[0] & 1) == 0 ? Blocked.NOT : Blocked.RING_FULL, n[0]);
              });
    }
  }

  /** A wide bound, for a busy machine; the figure is some nanoseconds. */
  @Test
  void settersAreCheap() {
    try (StatFile stat = StatFile.create(folder, OWNER)) {
      int slot = stat.register("counter");
      PeerRow row = stat.row(5);
      double least = Double.MAX_VALUE;
      for (int attempt = 0; attempt < 20; attempt++) {
        int rounds = 200_000;
        long begin = System.nanoTime();
        for (int i = 0; i < rounds; i++) {
          stat.add(slot, 1);
          row.sent(64);
        }
        least = Math.min(least, (System.nanoTime() - begin) / (double) rounds);
      }
      assertThat(least).isLessThan(100);
    }
  }
}

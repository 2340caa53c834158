package io.busbar.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.transport.Criteria;
import io.busbar.transport.Release;
import io.busbar.transport.Service;
import io.busbar.transport.Transport;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the associations of one path owe each other, and the path to its carrier. */
class PathSharingTest {
  private static final LinkSpec LINK = new LinkSpec(1_000_000_000L, 50_000, 100, 256);
  private static final int MESSAGE_BYTES = 32 * 1024;
  private static final long MS = 1_000_000;

  private final Map<Long, Long> received = new HashMap<>();
  private final Cluster cluster =
      new Cluster(
          3,
          2,
          LINK,
          config -> config.burstFramesMax(16),
          0,
          (node, config) -> node.id() == 0 ? new Receiver() : new Sender(node));

  @Test
  void associationsOfOnePathShareItEvenly() {
    open(8);
    cluster.schedule().runUntil(20 * MS);
    received.replaceAll((association, bytes) -> 0L);
    cluster.schedule().runUntil(220 * MS);
    long most = received.values().stream().mapToLong(Long::longValue).max().orElseThrow();
    long least = received.values().stream().mapToLong(Long::longValue).min().orElseThrow();
    assertThat(received).hasSize(8);
    assertThat((double) least / most).isGreaterThan(0.9);
  }

  /** A link of 1 Gbit/s carries 125 bytes a microsecond; eight streams must fill it. */
  @Test
  void togetherTheyFillTheLink() {
    open(8);
    cluster.schedule().runUntil(20 * MS);
    received.replaceAll((association, bytes) -> 0L);
    cluster.schedule().runUntil(220 * MS);
    long sum = received.values().stream().mapToLong(Long::longValue).sum();
    assertThat(sum / 0.2).isGreaterThan(0.9 * LINK.payloadBytesPerSecond(1472, 1440));
  }

  @Test
  void noMoreFramesLeaveAtOnceThanTheBurstAllows() {
    Map<Long, Integer> atOnce = new HashMap<>();
    cluster
        .network()
        .watch(
            (now, what, bytes, length) -> {
              if (what.equals("sent") && length > 1000) {
                atOnce.merge(now, 1, Integer::sum);
              }
            });
    open(8);
    cluster.schedule().runUntil(100 * MS);
    int most = atOnce.values().stream().mapToInt(Integer::intValue).max().orElseThrow();
    assertThat(most).isBetween(2, 16);
  }

  private void open(int count) {
    cluster.node(0).transport().listen(Criteria.port(1, 1));
    SimNode node = cluster.node(1);
    Transport transport = node.transport();
    for (int i = 0; i < count; i++) {
      long association = transport.open(0, 0, 1, Service.STREAM, 0, 1, 0, i);
      for (int k = 0; k < 32; k++) {
        transport.trySend(0, association, message(), 0, MESSAGE_BYTES, 0, true);
      }
    }
    node.wake();
  }

  private static MemorySegment message() {
    return MemorySegment.ofArray(new byte[MESSAGE_BYTES]);
  }

  private final class Receiver extends QuietUpcalls {
    @Override
    public void onBytes(
        long association, MemorySegment segment, long at, int length, boolean endOfMessage) {
      received.merge(association, (long) length, Long::sum);
      SimNode node = cluster.node(0);
      node.transport().consumed(node.nowNs(), association, length);
    }
  }

  private static final class Sender extends QuietUpcalls {
    private final SimNode node;
    private final MemorySegment message = message();

    Sender(SimNode node) {
      this.node = node;
    }

    @Override
    public void onReleased(long association, long token, Release how) {
      node.transport().trySend(node.nowNs(), association, message, 0, MESSAGE_BYTES, 0, true);
    }
  }
}

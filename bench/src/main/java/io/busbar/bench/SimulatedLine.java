package io.busbar.bench;

import io.busbar.lab.Cluster;
import io.busbar.lab.LinkSpec;
import io.busbar.lab.QuietUpcalls;
import io.busbar.lab.SimNode;
import io.busbar.transport.Criteria;
import io.busbar.transport.Offer;
import io.busbar.transport.Release;
import io.busbar.transport.Service;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Some senders that send as fast as they may to one receiver, over the lab's switch. */
final class SimulatedLine {
  private static final LinkSpec LINK = new LinkSpec(10_000_000_000L, 10_000, 100, 256);
  private static final int MESSAGE_BYTES = 64 * 1024;
  private static final int WAITING = 32;
  private static final int FRAME_BYTES = 1500;

  private final LinkSpec link;
  private final Cluster cluster;
  private final int senders;
  private final long[] received;

  /** The line of the figures: 10 Gbit/s, 20 µs round trip, a queue of 100 frames. */
  SimulatedLine(int senders, double loss, long seed) {
    this(senders, loss, seed, LINK);
  }

  SimulatedLine(int senders, double loss, long seed, LinkSpec link) {
    this.link = link;
    this.senders = senders;
    received = new long[senders + 1];
    cluster =
        new Cluster(
            seed,
            senders + 1,
            link,
            config -> config.frameBytesMax(FRAME_BYTES),
            0,
            (node, config) -> node.id() == 0 ? new Receiver() : new Sender(node));
    cluster.faults().loss = loss;
    cluster.node(0).transport().listen(Criteria.port(1, 1));
    for (int i = 1; i <= senders; i++) {
      SimNode node = cluster.node(i);
      long tag = i;
      long handle = node.transport().open(0, 0, 1, Service.STREAM, 0, 1, 0, tag);
      fill(node, handle);
      node.wake();
    }
  }

  private static void fill(SimNode node, long handle) {
    MemorySegment message = MemorySegment.ofArray(new byte[MESSAGE_BYTES]);
    for (int i = 0; i < WAITING; i++) {
      node.transport().trySend(node.nowNs(), handle, message, 0, MESSAGE_BYTES, 0, true);
    }
  }

  /** Runs for a while; returns the share of the link's payload limit that was delivered. */
  double run(long warmUpNs, long forNs) {
    cluster.schedule().runUntil(warmUpNs);
    Arrays.fill(received, 0);
    cluster.schedule().runUntil(warmUpNs + forNs);
    long bytes = 0;
    for (long each : received) {
      bytes += each;
    }
    double limit = link.payloadBytesPerSecond(FRAME_BYTES, FRAME_BYTES - 32);
    return bytes / (forNs / 1e9) / limit;
  }

  /** Jain's index over what each sender got through in {@link #run}. */
  double fairness() {
    double sum = 0;
    double squares = 0;
    for (int i = 1; i <= senders; i++) {
      sum += received[i];
      squares += (double) received[i] * received[i];
    }
    return sum * sum / (senders * squares);
  }

  /** Frames that the receiver's port had no room for. */
  long overflows() {
    return cluster.network().queueDrops();
  }

  private final class Receiver extends QuietUpcalls {
    private final Map<Long, Integer> from = new HashMap<>();

    @Override
    public void onAccepted(long association, int context, Offer offer) {
      from.put(association, (int) offer.tag());
    }

    @Override
    public void onBytes(
        long association, MemorySegment segment, long at, int length, boolean endOfMessage) {
      SimNode node = cluster.node(0);
      received[from.getOrDefault(association, 0)] += length;
      node.transport().consumed(node.nowNs(), association, length);
    }
  }

  private static final class Sender extends QuietUpcalls {
    private final SimNode node;
    private final MemorySegment message = MemorySegment.ofArray(new byte[MESSAGE_BYTES]);

    Sender(SimNode node) {
      this.node = node;
    }

    @Override
    public void onReleased(long association, long token, Release how) {
      node.transport().trySend(node.nowNs(), association, message, 0, MESSAGE_BYTES, 0, true);
    }
  }
}

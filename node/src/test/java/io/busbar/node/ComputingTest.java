package io.busbar.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.node.stat.NodeSnapshot;
import io.busbar.node.stat.StatReader;
import io.busbar.wire.Records;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** D5: the network goes on while the receiver's program computes, and makes no call. */
@Timeout(60)
class ComputingTest {
  private static final long SECOND_NS = 1_000_000_000L;
  private static final long COMPUTING_NS = 3 * SECOND_NS;
  private static final long PATIENCE_NS = 10 * SECOND_NS;
  private static final int BYTES_MAX = 16 << 10;

  /** Longer than until a probe, and from that until its receiver would be given up. */
  private static final long COMPUTING_LONG_MS = 18_000;

  @TempDir Path folder;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Node> nodes = new ArrayList<>();
  private final AtomicInteger released = new AtomicInteger();
  private final AtomicInteger heard = new AtomicInteger();
  private final Set<String> hearers = ConcurrentHashMap.newKeySet();
  private final MemorySegment memory = Arena.ofAuto().allocate(BYTES_MAX);
  private int sent;
  private volatile boolean enough;

  @AfterEach
  void close() {
    enough = true;
    nodes.forEach(Node::close);
    threads.close();
  }

  private void join(LaneUser... users) throws Exception {
    List<Future<Node>> joining = new ArrayList<>();
    for (int rank = 0; rank < users.length; rank++) {
      NodeConfig config = NodeConfig.of(Map.of()).as(rank, users.length, folder).withFabrics("udp");
      LaneUser user = users[rank];
      joining.add(threads.submit(() -> Node.join(config, user)));
    }
    for (Future<Node> one : joining) {
      nodes.add(one.get());
    }
  }

  private void onRecord() {
    int _ = heard.incrementAndGet();
    boolean _ = hearers.add(Thread.currentThread().getName());
  }

  /** Computes until it is told to stop: so nothing that happens before is its doing. */
  private int compute() {
    CRC32C sum = new CRC32C();
    while (!enough) {
      for (int i = 0; i < 1_000; i++) {
        sum.update(i);
      }
    }
    return (int) sum.getValue();
  }

  private void send(int bytes) throws InterruptedException {
    Node node = nodes.getFirst();
    Lane lane = Objects.requireNonNull(node.lane(1));
    int result = Lane.REFUSED;
    while (result == Lane.REFUSED) {
      int seen = released.get();
      node.take();
      result = lane.trySend(Records.header(Records.WHOLE, 0, 7, bytes), memory, 0, sent);
      node.flush();
      node.release();
      if (result == Lane.REFUSED) {
        assertThat(node.await(() -> released.get() > seen, PATIENCE_NS)).as("room").isTrue();
      }
    }
    sent++;
  }

  private void awaitAcknowledgements() throws InterruptedException {
    assertThat(nodes.getFirst().await(() -> released.get() == sent, PATIENCE_NS))
        .as("all is acknowledged")
        .isTrue();
  }

  /** What a node of this process shows; nobody has to call it for that. */
  private static NodeSnapshot shown(int node) {
    long self = ProcessHandle.current().pid();
    return StatReader.places().stream()
        .flatMap(place -> StatReader.list(place).stream())
        .filter(NodeSnapshot.class::isInstance)
        .map(NodeSnapshot.class::cast)
        .filter(one -> one.pid() == self && one.node() == node)
        .findFirst()
        .orElseThrow();
  }

  /** Frames with data that both have sent: in silence those are probes. */
  private static long dataFrames() {
    return IntStream.range(0, 2)
        .mapToLong(node -> shown(node).counters().getOrDefault("qmp.data-out", 0L))
        .sum();
  }

  private static boolean allIsAnswered(int node) {
    return shown(node).peers().getFirst().waitingBytes() == 0;
  }

  /** Who is silent is asked after five seconds, and dead if he does not answer for ten more. */
  @Tag("long")
  @Test
  void nobodyIsTakenForDeadWhoOnlyComputes() throws Exception {
    join(
        Users.hears("onReleased", released::incrementAndGet),
        Users.hears("onRecord", this::onRecord));
    send(64);
    awaitAcknowledgements();
    Thread.sleep(3_000); // what is shown is no older than two seconds
    long before = dataFrames();
    Thread.sleep(COMPUTING_LONG_MS); // and neither program calls anything
    long deadlineNs = System.nanoTime() + PATIENCE_NS;
    while (!allIsAnswered(0) || !allIsAnswered(1)) {
      assertThat(System.nanoTime()).as("answers").isLessThan(deadlineNs);
      Thread.sleep(100);
    }
    assertThat(dataFrames() - before).as("probes").isGreaterThanOrEqualTo(2);
    for (int i = 0; i < 2; i++) {
      Lane lane = Objects.requireNonNull(nodes.get(i).lane(1 - i));
      assertThat(lane.whyEnded()).isEmpty();
      assertThat(lane.isEnded()).isFalse();
    }
    send(64);
    awaitAcknowledgements();
    assertThat(hearers).as("who drives the receiver").containsExactly("busbar caretaker of node-1");
  }

  @Test
  void acknowledgementsGoOnWhileTheReceiverComputes() throws Exception {
    join(
        Users.hears("onReleased", released::incrementAndGet),
        Users.hears("onRecord", this::onRecord));
    long startNs = System.nanoTime();
    Future<Integer> computing = threads.submit(this::compute);
    for (int round = 0; round < 20; round++) {
      for (int bytes = 64; bytes <= BYTES_MAX; bytes *= 4) {
        send(bytes);
      }
    }
    awaitAcknowledgements();
    assertThat(heard.get()).isEqualTo(sent);

    int probes = 0;
    while (System.nanoTime() - startNs < COMPUTING_NS || probes < 3) {
      Thread.sleep(100); // the network rests, and so do those who drive it
      send(64);
      awaitAcknowledgements();
      probes++;
    }
    assertThat(heard.get()).isEqualTo(sent);
    assertThat(computing.isDone()).isFalse();
    enough = true;
    int _ = computing.get();
    assertThat(hearers).as("who drives the receiver").containsExactly("busbar caretaker of node-1");
  }
}

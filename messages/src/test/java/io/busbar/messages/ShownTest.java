package io.busbar.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.fabric.FaultShares;
import io.busbar.fabric.FaultyNic;
import io.busbar.messages.MessageException.Mistake;
import io.busbar.node.Node;
import io.busbar.node.NodeConfig;
import io.busbar.node.stat.NodeSnapshot;
import io.busbar.node.stat.PeerSnapshot;
import io.busbar.node.stat.StatReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a node shows of itself to other processes, while messages wait and are repaired. */
@Timeout(60)
class ShownTest extends Nodes {
  private static final Handler TAKE = Handler.named("take");

  /** What a node of this process shows; there is one of that number. */
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

  private static PeerSnapshot peer(int node) {
    return shown(node).peers().getFirst();
  }

  /** The node works meanwhile, as it shows what it knows then. */
  private static void awaitShown(Messages fm, String what, Predicate<PeerSnapshot> holds)
      throws InterruptedException {
    long deadlineNs = System.nanoTime() + 20 * SECOND_NS;
    while (!holds.test(peer(fm.node().id()))) {
      assertThat(System.nanoTime()).as("%s: %s", what, peer(0)).isLessThan(deadlineNs);
      int _ = fm.extractOrWait(20_000_000);
    }
  }

  private void fill(Messages fm, int bytes) {
    fm.patience(50_000_000);
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 1_000_000; i++) {
                fm.send(1, TAKE, pattern(bytes, 0), 0, bytes);
              }
            })
        .isInstanceOfSatisfying(
            MessageException.class, e -> assertThat(e.mistake()).isEqualTo(Mistake.TIMED_OUT));
  }

  /** The peer does not extract: it is its credit that is missing, over each carrier. */
  @ParameterizedTest
  @CsvSource({"shm, shm:", "udp, udp:"})
  void whoDoesNotExtractIsNamedAsTheReason(String fabric, String address) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    nodes.get(1).handler("take", (in, from) -> in.skip(in.remaining()));
    fill(a, 1_000);
    awaitShown(a, "the reason", peer -> peer.whyName().equals("NO_CREDIT"));
    PeerSnapshot blocked = peer(0);
    assertThat(blocked.address()).startsWith(address);
    assertThat(blocked.stalls()).isPositive();
    while (nodes.get(1).extractOrWait(100_000_000) > 0) {
      int _ = a.extract();
    }
    a.patience(20 * SECOND_NS);
    a.send(1, TAKE, pattern(8, 0), 0, 8);
    awaitShown(a, "nothing", peer -> peer.whyName().equals("NOT"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void longMessagesThatHoldAllChannelsAreTheReason(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    nodes.get(1).handler("take", (in, from) -> in.skip(in.remaining()));
    List<OutMessage> begun = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      OutMessage out = a.tryBegin(1, 1 << 20, TAKE);
      assertThat(out).isNotNull();
      begun.add(out);
    }
    assertThat(a.tryBegin(1, 1 << 20, TAKE)).isNull();
    awaitShown(a, "the reason", peer -> peer.whyName().equals("NO_CHANNEL"));
    assertThat(begun).hasSize(16);
  }

  @Test
  void buffersThatAreHeldAreCounted() throws Exception {
    join("shm", 2);
    Messages a = nodes.get(0);
    MessageBuffer held = a.buffer(100_000);
    awaitShown(a, "the pool", _ -> shown(0).counters().getOrDefault("pool.blocks-used", 0L) >= 25);
    assertThat(shown(0).counters().get("pool.blocks")).isGreaterThanOrEqualTo(2048);
    held.close();
    awaitShown(a, "the pool", _ -> shown(0).counters().getOrDefault("pool.blocks-used", 99L) < 25);
  }

  /** Both ends over UDP, each of which loses a share of what comes. */
  private void joinLossy(double share) throws Exception {
    List<Future<Messages>> joining = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      NodeConfig config = NodeConfig.of(Map.of()).as(rank, 2, folder).withFabrics("udp");
      MessageEvents events = events(rank);
      FaultShares shares = FaultShares.defaults().withLoss(share);
      int seed = rank;
      joining.add(
          threads.submit(
              () ->
                  Messages.over(
                      user -> Node.join(config, user, nic -> new FaultyNic(nic, shares, seed)),
                      events)));
    }
    for (Future<Messages> one : joining) {
      nodes.add(one.get());
    }
  }

  @Test
  void repairsAndRoundTripsAreShownForThePeer() throws Exception {
    joinLossy(0.05);
    int[] taken = new int[1];
    nodes.get(1).handler("take", (in, from) -> taken[0]++);
    for (int i = 0; i < 2_000; i++) {
      nodes.get(0).send(1, TAKE, pattern(1_000, i), 0, 1_000);
      int _ = nodes.get(1).extract();
    }
    assertThat(nodes.get(1).await(() -> taken[0] == 2_000, 30 * SECOND_NS)).isTrue();
    awaitShown(nodes.get(0), "repairs", peer -> peer.repairs() > 0 && peer.roundTripNs() > 0);
  }

  /** Neither program calls anything: what was lost is repaired all the same. */
  @Test
  void repairsGoOnWhileProgramsCompute() throws Exception {
    joinLossy(0.2);
    for (int i = 0; i < 100; i++) {
      nodes.get(0).send(1, TAKE, pattern(1_000, i), 0, 1_000);
    }
    awaitThat("all arrive", 30, () -> peer(1).messagesIn() >= 100);
    awaitThat("repairs are shown", 30, () -> peer(0).repairs() > 0);
  }
}

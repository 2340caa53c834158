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
import java.lang.foreign.MemorySegment;
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
    fm.patience(SECOND_NS); // its caretaker takes what is in the ring, on a busy machine, too
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

  /** Its handler takes nothing; that short messages pass does not make it move. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void longMessageThatIsStoppedIsTheReasonThoughShortOnesPass(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    int[] passed = new int[1];
    b.handler("take", (in, from) -> passed[0]++);
    boolean[] goesOn = new boolean[1];
    a.patience(10 * SECOND_NS);
    Handler stops =
        b.waitingHandler(
            "stops",
            (in, from) -> {
              in.await(() -> goesOn[0]);
              in.skip(in.remaining());
            });
    try (OutMessage out = a.begin(1, Messages.SIZE_UNKNOWN, stops)) {
      MemorySegment piece = pattern(10_000, 0);
      long deadlineNs = System.nanoTime() + 20 * SECOND_NS;
      for (int refused = 0; refused < 20; ) { // acknowledgements may make room for some more
        refused = out.trySend(piece, 0, 10_000) ? 0 : refused + 1;
        int _ = b.extract();
        int _ = a.extractOrWait(2_000_000);
        assertThat(System.nanoTime()).isLessThan(deadlineNs);
      }
      awaitShown(a, "the reason", peer -> peer.whyName().equals("NO_CREDIT"));
      for (int i = 1; i <= 200; i++) {
        a.send(1, TAKE, i, 0, 0, 0);
        int count = i;
        assertThat(b.await(() -> passed[0] == count, 20 * SECOND_NS)).isTrue();
        int _ = a.extractOrWait(2_000_000);
        assertThat(peer(0).whyName())
            .as("after %d short ones", i)
            .isIn("NO_CREDIT", "WAITING_FOR_PEER"); // it asks the peer for more now and then
      }
      goesOn[0] = true;
      int _ = b.extract();
      awaitShownWhile(a, b, "nothing", peer -> peer.whyName().equals("NOT"));
    }
  }

  /** Who only tries, and gives up, is not held back when there is room. */
  @ParameterizedTest
  @CsvSource({"shm, 1000", "shm, 20000", "udp, 1000", "udp, 20000"})
  void reasonGoesWhenThereIsRoomThoughNothingIsSent(String fabric, int bytes) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    b.handler("take", (in, from) -> in.skip(in.remaining()));
    MemorySegment message = pattern(bytes, 0);
    for (int refused = 0; refused < 20; ) {
      refused = a.trySend(1, TAKE, message, 0, bytes) ? 0 : refused + 1;
      int _ = a.extractOrWait(1_000_000);
    }
    awaitShown(a, "a reason", peer -> !peer.whyName().equals("NOT"));
    long stalls = peer(0).stalls();
    long sent = peer(0).messagesOut();
    awaitShownWhile(a, b, "nothing", peer -> peer.whyName().equals("NOT"));
    assertThat(peer(0).messagesOut()).isEqualTo(sent);
    assertThat(peer(0).stalls()).isEqualTo(stalls).isPositive();
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void channelsThatAreFreeAgainAreNoReason(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    b.handler("take", (in, from) -> in.skip(in.remaining()));
    List<OutMessage> begun = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      OutMessage out = a.tryBegin(1, 1 << 20, TAKE);
      assertThat(out).isNotNull();
      begun.add(out);
    }
    assertThat(a.tryBegin(1, 1 << 20, TAKE)).isNull();
    awaitShown(a, "the reason", peer -> peer.whyName().equals("NO_CHANNEL"));
    begun.forEach(OutMessage::abandon);
    awaitShownWhile(a, b, "nothing", peer -> peer.whyName().equals("NOT"));
  }

  /** The other one extracts meanwhile. */
  private static void awaitShownWhile(
      Messages fm, Messages other, String what, Predicate<PeerSnapshot> holds)
      throws InterruptedException {
    awaitShown(
        fm,
        what,
        peer -> {
          int _ = other.extract();
          return holds.test(peer);
        });
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

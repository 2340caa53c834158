package io.busbar.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.bus.MemberState;
import io.busbar.node.Discovery;
import io.busbar.node.MemberEvent;
import io.busbar.node.NodeConfig;
import io.busbar.node.NodeException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that nobody told of each other find each other over the loopback, and talk. */
@Timeout(60)
class DiscoveryTest {
  private static final long SECOND_NS = 1_000_000_000;
  private static final Handler HEAR = Handler.named("hear");

  private final ExecutorService pool = Executors.newCachedThreadPool();
  private final List<Guest> guests = new ArrayList<>();
  private final int port = 20_000 + (int) (ProcessHandle.current().pid() % 20_000);

  /** A node with a program that extracts, and notes what it hears. */
  private final class Guest implements MessageEvents {
    final Queue<String> told = new ConcurrentLinkedQueue<>();
    final AtomicInteger heard = new AtomicInteger();
    final Messages messages;
    private volatile boolean ended;
    private final Future<?> extracting;

    Guest(NodeConfig config) throws InterruptedException {
      messages = Messages.join(config, this);
      messages.handler("hear", (in, from) -> heard.incrementAndGet());
      extracting =
          pool.submit(
              () -> {
                while (!ended) {
                  int _ = messages.extractOrWait(10_000_000);
                }
                return true;
              });
    }

    @Override
    public void onMember(MemberEvent event) {
      told.add("%s %d".formatted(event.what(), event.member().id()));
    }

    @Override
    public void onNodeGone(int node, String why) {
      told.add("GONE " + node);
    }

    int id() {
      return messages.node().id();
    }

    void say(int to) {
      messages.send(to, HEAR, MemorySegment.ofArray(new byte[100]), 0, 100);
    }

    void close() throws Exception {
      ended = true;
      extracting.get(20, TimeUnit.SECONDS);
      messages.close();
    }
  }

  @TempDir Path folder;

  private NodeConfig config(String cluster, Discovery discovery, String... fabrics) {
    return NodeConfig.find(cluster, discovery.withPort(0))
        .withHost("127.0.0.1")
        .withShmDirectory(folder.toString())
        .withFabrics(fabrics);
  }

  private Discovery segment() {
    return Discovery.onSegment().withGroup("239.255.70.9:" + port);
  }

  private Guest join(NodeConfig config) throws InterruptedException {
    Guest guest = new Guest(config);
    guests.add(guest);
    return guest;
  }

  private List<Guest> joinAtOnce(List<NodeConfig> configs) throws Exception {
    List<Callable<Guest>> joining = new ArrayList<>();
    configs.forEach(config -> joining.add(() -> new Guest(config)));
    List<Guest> joined = new ArrayList<>();
    for (Future<Guest> one : pool.invokeAll(joining)) {
      joined.add(one.get());
    }
    guests.addAll(joined);
    return joined;
  }

  private static void awaitThat(String what, BooleanSupplier condition) throws Exception {
    long endNs = System.nanoTime() + 20 * SECOND_NS;
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("in time: %s", what).isLessThan(endNs);
      Thread.sleep(1);
    }
  }

  @AfterEach
  void end() throws Exception {
    for (Guest guest : guests) {
      guest.close();
    }
    pool.shutdownNow();
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm,udp", "udp"})
  void fourFindEachOtherAndTalk(String fabrics) throws Exception {
    long startNs = System.nanoTime();
    Discovery four = segment().expecting(4).withAttributes(Map.of("room", "7"));
    NodeConfig config = config("four", four, fabrics.split(",", -1));
    List<Guest> all = joinAtOnce(IntStream.range(0, 4).mapToObj(i -> config).toList());
    System.out.printf(
        "four found each other in %d ms over %s%n",
        (System.nanoTime() - startNs) / 1_000_000, fabrics);
    for (Guest one : all) {
      assertThat(one.messages.node().members())
          .hasSize(4)
          .allSatisfy(member -> assertThat(member.state()).isEqualTo(MemberState.ALIVE))
          .allSatisfy(member -> assertThat(member.card().attributes()).containsEntry("room", "7"));
      for (Guest other : all) {
        if (other != one) {
          IntStream.range(0, 100).forEach(i -> one.say(other.id()));
          assertThat(one.messages.node().choices().get(other.id()))
              .startsWith(fabrics.split(",", -1)[0]);
        }
      }
    }
    awaitThat(
        "100 messages of each", () -> all.stream().allMatch(one -> one.heard.get() == 3 * 100));
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm,udp", "udp"})
  void whoLeavesAndComesAgainIsServedAtOnce(String fabrics) throws Exception {
    String[] used = fabrics.split(",", -1);
    Guest stays = join(config("again", segment().withId(1), used));
    for (int life = 1; life <= 3; life++) {
      Guest comes = new Guest(config("again", segment().withId(2).expecting(2), used));
      comes.say(1); // the other one may not know it yet
      int lives = life;
      awaitThat("a message of life " + life, () -> stays.heard.get() == lives);
      stays.say(2);
      awaitThat("an answer to life " + life, () -> comes.heard.get() == 1);
      comes.close();
      awaitThat("it has left", () -> stays.told.stream().filter("LEFT 2"::equals).count() == lives);
    }
    assertThat(stays.told).contains("JOINED 2", "RESTARTED 2", "GONE 2");
    assertThat(stays.told).doesNotContain("DIED 2", "SUSPECTED 2");
    assertThatThrownBy(() -> stays.say(2)).isInstanceOf(MessageException.class);
  }

  @Test
  void clustersOnOneSegmentDoNotMeet() throws Exception {
    Guest one = join(config("one", segment(), "udp"));
    Guest other = join(config("other", segment(), "udp"));
    Thread.sleep(500);
    assertThat(one.messages.node().members()).hasSize(1);
    assertThat(other.messages.node().members()).hasSize(1);
  }

  @Test
  void seedsAreEnoughWhereThereIsNoGroup() throws Exception {
    Discovery none = segment().withSeeds(List.of("127.0.0.1:" + port)).withGroup("");
    NodeConfig first = NodeConfig.find("seeds", none.withPort(port)).withHost("127.0.0.1");
    Guest seed = join(first.withFabrics("udp"));
    Path hosts = Files.writeString(folder.resolve("hosts"), "# all\n127.0.0.1 # here\n\n");
    Discovery told = none.withPort(port).withHosts(hosts);
    Guest a = join(NodeConfig.find("seeds", told).withHost("127.0.0.1").withFabrics("udp"));
    Guest b = join(NodeConfig.find("seeds", told).withHost("127.0.0.1").withFabrics("udp"));
    for (Guest one : List.of(seed, a, b)) {
      awaitThat("three members", () -> one.messages.node().size() == 3);
    }
    a.say(b.id());
    awaitThat("a message", () -> b.heard.get() == 1);
  }

  @Test
  void theEarlierOfTwoWithOneIdKeepsIt() throws Exception {
    Guest earlier = join(config("twice", segment().withId(5), "udp"));
    Thread.sleep(20);
    Guest later = join(config("twice", segment().withId(5), "udp"));
    awaitThat("the later one hears of it", () -> later.told.contains("ID_LOST 5"));
    Guest third = join(config("twice", segment().expecting(2), "udp"));
    third.say(5);
    awaitThat("the earlier one has the id", () -> earlier.heard.get() == 1);
    assertThat(later.heard.get()).isZero();
  }

  @Test
  void whoIsExpectedAndDoesNotComeIsNamed() {
    NodeConfig config = config("few", segment().expecting(3), "udp");
    NodeConfig impatient =
        new NodeConfig(
            "few",
            "n",
            0,
            1,
            null,
            "127.0.0.1",
            List.of("udp"),
            folder.toString(),
            SECOND_NS / 5,
            null,
            config.discovery());
    assertThatThrownBy(() -> Messages.join(impatient, MessageEvents.NONE))
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("of 3 members of cluster few, 1 were found");
  }

  @Test
  void datagramsAreNeeded() {
    assertThatThrownBy(() -> Messages.join(config("none", segment(), "shm"), MessageEvents.NONE))
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("add udp");
    assertThatThrownBy(() -> segment().withGroup(""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("neither a group nor seeds");
  }
}

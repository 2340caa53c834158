package io.busbar.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.bus.MemberState;
import io.busbar.node.Discovery;
import io.busbar.node.NodeConfig;
import io.busbar.node.NodeException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that nobody told of each other find each other over the loopback, and talk. */
@Timeout(60)
class DiscoveryTest extends Segment {
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
        if (!other.equals(one)) {
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
    Discovery none = segment().withSeeds(List.of("localhost:" + port)).withGroup("");
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

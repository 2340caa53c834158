package io.busbar.lab.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.bus.CastCount;
import io.busbar.bus.Member;
import io.busbar.bus.MemberEvent;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One message reaches all, in order and once, whatever happens. */
class CastTest {
  private static final long SECOND_NS = BusCluster.SECOND_NS;
  private static final long MS = 1_000_000;

  private static BusCluster started(long seed, int nodes, long paceNs) {
    BusCluster cluster = new BusCluster(seed, nodes);
    cluster.paceNs = paceNs;
    for (int port = 0; port < nodes; port++) {
      cluster.start(port);
    }
    assertThat(cluster.runUntil(BusCluster::isConverged, 5 * SECOND_NS)).isNotNegative();
    cluster.runFor(SECOND_NS);
    return cluster;
  }

  private static CastEnd end(BusCluster cluster, int port) {
    return Objects.requireNonNull(cluster.node(port).casts());
  }

  private static void say(BusCluster cluster, int port, int messages, int length) {
    for (int i = 0; i < messages; i++) {
      while (!end(cluster, port).say(length)) {
        cluster.runFor(MS / 10);
      }
    }
  }

  private static void awaitAllHeard(BusCluster cluster, int of) {
    CastEnd sender = end(cluster, of);
    long took =
        cluster.runUntil(
            all ->
                sender.out().isSettled()
                    && all.nodes().stream()
                        .filter(BusNode::isRunning)
                        .map(node -> Objects.requireNonNull(node.casts()))
                        .allMatch(
                            by -> by == sender || by.expects(sender) == sender.out().messages()),
            10 * SECOND_NS);
    assertThat(took).as("all is heard in time").isNotNegative();
  }

  /** The aims of the figures, where nothing is lost: they hold for the protocol itself. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 8, 16})
  void framesAndAcknowledgementsOfAMessageDoNotGrow(int readers) {
    BusCluster cluster = started(10 + readers, readers + 1, Long.MAX_VALUE);
    int messages = 8192;
    say(cluster, 0, messages, 1024);
    awaitAllHeard(cluster, 0);
    CastEnd sender = end(cluster, 0);
    long frames =
        sender.count(CastCount.DATA_OUT)
            + sender.count(CastCount.REPAIRS_OUT)
            + sender.count(CastCount.POLLS_OUT)
            + sender.count(CastCount.WELCOMES_OUT);
    long answers = sender.count(CastCount.STATUS_IN) + sender.count(CastCount.NAKS_IN);
    System.out.printf(
        "%d readers: %.4f frames and %.4f answers a message%n",
        readers, (double) frames / messages, (double) answers / messages);
    assertThat((double) frames / messages).isLessThan(1.05);
    assertThat((double) answers / messages).isLessThan(0.05);
    assertThat(sender.count(CastCount.REPAIRS_OUT)).isZero();
  }

  @Test
  void questionsForWhatAllHaveLostGrowSlowly() {
    double two = questionsForALoss(2);
    double sixtyFour = questionsForALoss(64);
    System.out.printf(
        "questions for a frame that all lost: %.2f of 2 readers, %.2f of 64%n", two, sixtyFour);
    assertThat(sixtyFour).as("log2 of 64 is 6").isLessThan(6 * two);
  }

  private static double questionsForALoss(int readers) {
    BusCluster cluster = started(40 + readers, readers + 1, Long.MAX_VALUE);
    say(cluster, 0, 10, 100);
    awaitAllHeard(cluster, 0);
    int losses = 50;
    for (int i = 0; i < losses; i++) {
      for (int port = 1; port <= readers; port++) {
        cluster.faults.cut(0, port, true);
      }
      say(cluster, 0, 1, 100);
      cluster.runFor(MS / 10);
      cluster.faults.heal();
      say(cluster, 0, 1, 100);
      awaitAllHeard(cluster, 0);
      cluster.runFor(10 * MS);
    }
    CastEnd sender = end(cluster, 0);
    assertThat(sender.count(CastCount.REPAIRS_OUT)).isBetween(losses * 1L, losses * 2L);
    return (double) sender.count(CastCount.NAKS_IN) / losses;
  }

  @Test
  void aLostLastFrameIsNoticedAtOnce() {
    BusCluster cluster = started(3, 5, Long.MAX_VALUE);
    say(cluster, 0, 10, 100);
    awaitAllHeard(cluster, 0);
    cluster.faults.cut(0, 3, true);
    say(cluster, 0, 1, 100);
    cluster.runFor(MS / 10);
    cluster.faults.heal();
    long startNs = cluster.nowNs();
    awaitAllHeard(cluster, 0);
    assertThat(cluster.nowNs() - startNs).isLessThan(20 * MS);
  }

  @Test
  void whoJoinsLateBeginsBetweenMessagesAndKnowsWhere() {
    BusCluster cluster = new BusCluster(4, 5);
    for (int port = 0; port < 4; port++) {
      cluster.start(port);
    }
    cluster.runFor(2 * SECOND_NS);
    say(cluster, 0, 1000, 700);
    cluster.start(4);
    say(cluster, 0, 50, 5000);
    for (int i = 0; i < 400; i++) {
      say(cluster, 0, 3, 3000);
      cluster.runFor(MS);
    }
    awaitAllHeard(cluster, 0);
    assertThat(end(cluster, 4).gaps(end(cluster, 0))).isZero();
  }

  /** It is waited for as long as was said, then told what it has missed, and goes on. */
  @Test
  void whoTakesNothingIsEvictedAndTakenInAgain() {
    BusCluster cluster = started(5, 4, SECOND_NS);
    CastEnd sender = end(cluster, 0);
    CastEnd sleeper = end(cluster, 2);
    say(cluster, 0, 10, 1000);
    awaitAllHeard(cluster, 0);
    sleeper.sleep(true);
    long startNs = cluster.nowNs();
    say(cluster, 0, 3000, 1000);
    assertThat(cluster.nowNs() - startNs).isGreaterThan(SECOND_NS);
    assertThat(sender.evicted()).containsExactly(sleeper.id());
    assertThat(sleeper.expects(sender)).isLessThan(2000);
    sleeper.sleep(false);
    cluster.runFor(SECOND_NS);
    say(cluster, 0, 100, 1000);
    awaitAllHeard(cluster, 0);
    assertThat(sleeper.gaps(sender)).isEqualTo(1);
    assertThat(end(cluster, 1).gaps(sender)).isZero();
  }

  /** They do not stop at one moment, nor at one message, and are waited for at the same time. */
  @Test
  void severalWhoTakeNothingAreWaitedForTogether() {
    BusCluster cluster = started(21, 9, SECOND_NS);
    CastEnd sender = end(cluster, 0);
    for (int port = 1; port <= 6; port++) {
      end(cluster, port).sleep(true);
      say(cluster, 0, 7 * port, 1000);
      cluster.runFor(MS);
    }
    long startNs = cluster.nowNs();
    say(cluster, 0, 3000, 1000);
    assertThat(sender.evicted()).hasSize(6);
    assertThat(cluster.nowNs() - startNs).isBetween(SECOND_NS, 3 * SECOND_NS / 2);
    for (int port = 1; port <= 6; port++) {
      end(cluster, port).sleep(false);
    }
    cluster.runFor(SECOND_NS);
    say(cluster, 0, 100, 1000);
    awaitAllHeard(cluster, 0);
    assertThat(end(cluster, 6).gaps(sender)).isEqualTo(1);
    assertThat(end(cluster, 8).gaps(sender)).isZero();
  }

  /** A little now and then is as good as nothing for those who wait. */
  @Test
  void whoTakesNextToNothingIsEvicted() {
    BusCluster cluster = started(22, 4, SECOND_NS);
    CastEnd sender = end(cluster, 0);
    CastEnd trickler = end(cluster, 2);
    trickler.sleep(true);
    long startNs = cluster.nowNs();
    for (int i = 0; i < 3000; i++) {
      while (!sender.say(1000)) {
        cluster.runFor(SECOND_NS / 20);
        trickler.dealWith(2);
        assertThat(cluster.nowNs() - startNs).as("still held back").isLessThan(5 * SECOND_NS);
      }
    }
    assertThat(sender.evicted()).containsExactly(trickler.id());
  }

  /** Who is slow, and takes a part of a window within the time, paces the sender. */
  @Test
  void whoTakesSlowlyIsWaitedFor() {
    BusCluster cluster = started(23, 4, SECOND_NS);
    CastEnd sender = end(cluster, 0);
    CastEnd slow = end(cluster, 2);
    slow.sleep(true);
    for (int i = 0; i < 6000; i++) {
      while (!sender.say(1000)) {
        cluster.runFor(SECOND_NS / 20);
        slow.dealWith(40);
      }
    }
    slow.sleep(false);
    awaitAllHeard(cluster, 0);
    assertThat(sender.evicted()).isEmpty();
    assertThat(slow.gaps(sender)).isZero();
  }

  /** More than a frame has room to name, and nothing is said afterwards: each is told. */
  @Test
  void manyWhoAreEvictedAreAllTold() {
    BusCluster cluster = started(24, 64, SECOND_NS / 4);
    CastEnd sender = end(cluster, 0);
    for (int port = 1; port <= 60; port++) {
      end(cluster, port).sleep(true);
    }
    say(cluster, 0, 4000, 1000);
    assertThat(sender.evicted()).hasSize(60);
    for (int port = 1; port <= 60; port++) {
      end(cluster, port).sleep(false);
    }
    awaitAllHeard(cluster, 0);
    for (int port = 1; port <= 60; port++) {
      assertThat(end(cluster, port).gaps(sender)).isEqualTo(1);
    }
  }

  /** It was the sender that slept, and its readers had no time to say anything. */
  @Test
  void aSenderWhoseClockJumpsEvictsNobody() {
    BusCluster cluster = started(9, 4, SECOND_NS);
    CastEnd sender = end(cluster, 0);
    for (int jump = 0; jump < 5; jump++) {
      while (sender.say(1000)) {}
      cluster.runFor(1_000);
      cluster.node(0).jumpAhead(60 * SECOND_NS);
      cluster.runFor(10 * MS);
    }
    awaitAllHeard(cluster, 0);
    assertThat(sender.evicted()).isEmpty();
    for (int port = 1; port < 4; port++) {
      assertThat(end(cluster, port).gaps(sender)).isZero();
    }
  }

  @Test
  void whoIsWaitedForForEverMissesNothing() {
    BusCluster cluster = started(6, 4, Long.MAX_VALUE);
    CastEnd sender = end(cluster, 0);
    CastEnd sleeper = end(cluster, 2);
    say(cluster, 0, 10, 1000);
    awaitAllHeard(cluster, 0);
    sleeper.sleep(true);
    while (sender.say(1000) || !sender.out().isSettled()) {
      cluster.runFor(MS);
      if (sender.out().messages() > 5000) {
        throw new AssertionError("the sleeper holds nobody back");
      }
      if (sender.out().unsettledBytes() > 0 && !sender.say(1000)) {
        break;
      }
    }
    cluster.runFor(60 * SECOND_NS);
    assertThat(sender.evicted()).isEmpty();
    sleeper.sleep(false);
    cluster.runFor(SECOND_NS);
    say(cluster, 0, 100, 1000);
    awaitAllHeard(cluster, 0);
    assertThat(sleeper.gaps(sender)).isZero();
  }

  /** Readers that had all are dead to their sender, which goes on alone, and come back. */
  @Test
  void whatWasSaidToNobodyIsAGapForWhoComesBack() {
    BusCluster cluster = started(7, 3, Long.MAX_VALUE);
    say(cluster, 0, 10, 100);
    awaitAllHeard(cluster, 0);
    cluster.unplug(0, true);
    cluster.runFor(10 * SECOND_NS);
    say(cluster, 0, 5, 100);
    cluster.unplug(0, false);
    assertThat(cluster.runUntil(BusCluster::isConverged, 10 * SECOND_NS)).isNotNegative();
    say(cluster, 0, 3, 100);
    awaitAllHeard(cluster, 0);
    assertThat(end(cluster, 1).gaps(end(cluster, 0))).isEqualTo(1);
    assertThat(end(cluster, 2).gaps(end(cluster, 0))).isEqualTo(1);
    assertThat(end(cluster, 1).expects(end(cluster, 0))).isEqualTo(18);
  }

  /** It took its sender for gone, which does not know that, and has freed what it had heard. */
  @Test
  void whoHasForgottenAStreamIsTakenInAgain() {
    BusCluster cluster = started(8, 3, Long.MAX_VALUE);
    say(cluster, 0, 100, 1000);
    awaitAllHeard(cluster, 0);
    Member sender =
        Objects.requireNonNull(
            BusCluster.known(cluster.node(1), end(cluster, 0).id()), "they know each other");
    end(cluster, 1).onMember(new MemberEvent(0, MemberEvent.What.LEFT, sender));
    end(cluster, 1).onMember(new MemberEvent(0, MemberEvent.What.CAME_BACK, sender));
    assertThat(end(cluster, 1).expects(end(cluster, 0))).isNegative();
    say(cluster, 0, 1, 1000);
    awaitAllHeard(cluster, 0);
    say(cluster, 0, 1000, 1000);
    awaitAllHeard(cluster, 0);
    assertThat(end(cluster, 2).gaps(end(cluster, 0))).isZero();
  }

  @Test
  void storiesEndWell() {
    long said = 0;
    for (long seed = 1; seed <= 12; seed++) {
      CastStory story = new CastStory(seed);
      story.run();
      said += story.said();
    }
    System.out.printf("%d messages to all%n", said);
  }

  @Test
  @Tag("long")
  void manyStoriesEndWell() {
    for (long seed = 1000; seed < 1400; seed++) {
      new CastStory(seed).run();
    }
  }
}

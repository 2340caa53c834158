package io.busbar.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.bus.BusConfig.Times;
import io.busbar.testkit.ChildJvm;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A member's process is killed. On its host the kernel says so, and nobody is asked for a sign of
 * life; over datagrams alone the bus notices.
 */
@Timeout(60)
class MemberKilledTest extends Segment {
  private static final int START_S = 30;

  /** Nobody waits for the rest of what it said to all, and all are told how far it came. */
  @ParameterizedTest
  @ValueSource(strings = {"shm,udp", "udp"})
  void whoIsKilledInTheMiddleOfABroadcastLeavesNobodyWaiting(String fabrics) throws Exception {
    Guest stays = join(config("middle", segment(), fabrics.split(",", -1)));
    try (ChildJvm child = child("middle", fabrics)) {
      String id = child.awaitLine("joined", START_S).split(" ", -1)[1];
      awaitThat("it is known", () -> stays.knows("JOINED " + id));
      child.tell("cast 300000");
      awaitThat("the first part is heard", () -> stays.knows("LONG"));
      child.kill();
      awaitThat("its death is noticed", () -> stays.knows("DIED " + id));
      awaitThat("how far it came", () -> stays.knows("SENDER_GONE %s 1 1".formatted(id)));
      awaitThat("who waits hears of it", () -> stays.knows("FAILED " + id));
    }
  }

  private ChildJvm child(String cluster, String fabrics) throws Exception {
    return ChildJvm.start(
        List.of(), ChildJvm.SMALL, Found.class, cluster, "239.255.70.9:" + port, folder, fabrics);
  }

  /** With defaults it takes a second at least: so long a suspicion lasts. */
  @Test
  void whoAsksMoreOftenNoticesSooner() throws Exception {
    Times often = Times.DEFAULT.withPeriodNs(SECOND_NS / 20, SECOND_NS / 50);
    Guest stays = join(config("often", segment().withTimes(often), "udp"));
    try (ChildJvm child = child("often", "udp")) {
      String id = child.awaitLine("joined", START_S).split(" ", -1)[1];
      awaitThat("it is known", () -> stays.knows("JOINED " + id));
      Thread.sleep(500);
      child.kill();
      long killedNs = System.nanoTime();
      awaitThat("its death is noticed", () -> stays.knows("DIED " + id));
      assertThat(System.nanoTime() - killedNs).isLessThan(SECOND_NS);
    }
  }

  /** With defaults it takes less than 2 s; what more a busy machine may take. */
  @ParameterizedTest
  @CsvSource({"'shm,udp', 500", "udp, 5000"})
  void aKilledMemberIsNoticed(String fabrics, long limitMs) throws Exception {
    String cluster = "killed";
    List<Guest> stay =
        joinAtOnce(
            List.of(
                config(cluster, segment().expecting(2), fabrics.split(",", -1)),
                config(cluster, segment().expecting(2), fabrics.split(",", -1))));
    try (ChildJvm child = child(cluster, fabrics)) {
      String id = child.awaitLine("joined", START_S).split(" ", -1)[1];
      awaitThat("both know it", () -> stay.stream().allMatch(one -> one.knows("JOINED " + id)));
      stay.getFirst().say(Integer.parseInt(id));
      Thread.sleep(500);
      child.kill();
      long killedNs = System.nanoTime();
      awaitThat("both notice", () -> stay.stream().allMatch(one -> one.knows("DIED " + id)));
      long tookMs = (System.nanoTime() - killedNs) / 1_000_000;
      System.out.printf("%s: a killed member is noticed by both after %d ms%n", fabrics, tookMs);
      assertThat(tookMs).isLessThan(limitMs);
    }
  }
}

package io.busbar.lab.bed;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.node.stat.NodeSnapshot;
import io.busbar.node.stat.StatReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes with different carriers on one bridge: each two use the best one that both have. */
@Timeout(120)
class MixedSegmentTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static final String NOT_BOTH =
      "xdp is not opened beside packet, which hears the same frames";

  @TempDir Path meeting;

  private HostProcess greeter(TestBed bed, int rank, int size, String fabrics) {
    TestHost host = bed.host(rank);
    List<String> arguments =
        List.of(
            Integer.toString(rank),
            Integer.toString(size),
            meeting.toString(),
            host.addressText(),
            fabrics);
    return host.java(Speakers.SMALL, Greeter.class, arguments);
  }

  /** One message is a buffer to one reader, a raw frame to another one, a datagram to the third. */
  @Test
  void oneStreamReachesEachByItsOwnCarrier() {
    List<String> fabrics = List.of("shm,packet,udp", "shm,packet,udp", "packet,udp", "udp");
    int[] hosts = {0, 0, 1, 2};
    int messages = 2_000;
    try (TestBed bed = TestBed.create(3)) {
      List<HostProcess> residents = new ArrayList<>();
      for (int id = 0; id < hosts.length; id++) {
        List<String> arguments = List.of("" + id, "" + hosts.length, fabrics.get(id));
        residents.add(bed.host(hosts[id]).java(Speakers.SMALL, Resident.class, arguments));
      }
      for (HostProcess resident : residents) {
        String _ = resident.awaitLine(line -> line.startsWith("complete "), LIMIT);
      }
      HostProcess speaker = residents.getFirst();
      speaker.sendLine("choices");
      assertThat(speaker.awaitLine(line -> line.startsWith("choices "), LIMIT))
          .contains("1=shm", "2=packet", "3=udp");
      for (int from : new int[] {0, 3}) { // the last one reaches all by one datagram
        Map<String, Long> before = counters(residents.get(from));
        residents.get(from).sendLine("cast " + messages);
        String all = "heeded %d %d ".formatted(from, messages);
        for (int id = 0; id < hosts.length; id++) {
          if (id != from) {
            String _ = residents.get(id).awaitLine(line -> line.startsWith(all), LIMIT);
          }
        }
        checkEachCarrierHadItOnce(residents.get(from), before, fabrics.get(from));
      }
      for (HostProcess resident : residents) {
        assertThat(resident.output().lines())
            .as("each once and in order")
            .noneMatch(line -> line.matches("(wrong|gap|evicted|reader_evicted|died) .*"));
      }
    }
  }

  private static Map<String, Long> counters(HostProcess of) {
    return StatReader.places().stream()
        .flatMap(place -> StatReader.list(place).stream())
        .filter(reading -> reading.pid() == of.pid())
        .filter(NodeSnapshot.class::isInstance)
        .map(reading -> ((NodeSnapshot) reading).counters())
        .findFirst()
        .orElseThrow();
  }

  /** Each frame of the stream; and what else there is to say is little beside it. */
  private static void checkEachCarrierHadItOnce(
      HostProcess speaker, Map<String, Long> before, String fabrics) {
    long leastFrames = 1_000; // so many hold what was said
    long endNs = System.nanoTime() + LIMIT.toNanos();
    Map<String, Long> now = counters(speaker);
    while (grown(now, before, "cast.data-out") < leastFrames) { // they are shown now and then
      assertThat(System.nanoTime()).as("counters %s", now).isLessThan(endNs);
      LockSupport.parkNanos(10_000_000);
      now = counters(speaker);
    }
    long frames = grown(now, before, "cast.data-out") + grown(now, before, "cast.repairs-out");
    for (String fabric : fabrics.split(",", -1)) {
      assertThat(grown(now, before, fabric + ".frames-sent"))
          .as("%d frames of the stream over %s", frames, fabric)
          .isBetween(frames, frames * 3 / 2);
    }
  }

  private static long grown(Map<String, Long> now, Map<String, Long> before, String counter) {
    return now.getOrDefault(counter, 0L) - before.getOrDefault(counter, 0L);
  }

  /** A carrier that would disturb one that is open is left out, and that is said. */
  @Test
  void eachTwoUseTheBestThatBothHave() {
    List<String> fabrics = List.of("xdp,udp", "packet|xdp,udp", "udp");
    List<String> choices =
        List.of(
            "choices {1=xdp, 2=udp, because node 2 has no xdp}",
            "choices {0=packet%s, 2=udp, because node 2 has no packet%s}"
                .formatted(", because " + NOT_BOTH, "; " + NOT_BOTH),
            "choices {0=udp, 1=udp}");
    try (TestBed bed = TestBed.create(fabrics.size())) {
      List<HostProcess> greeters = new ArrayList<>();
      for (int rank = 0; rank < fabrics.size(); rank++) {
        greeters.add(greeter(bed, rank, fabrics.size(), fabrics.get(rank)));
      }
      for (int rank = 0; rank < fabrics.size(); rank++) {
        HostProcess greeter = greeters.get(rank);
        assertThat(greeter.awaitLine(line -> line.startsWith("choices"), LIMIT))
            .isEqualTo(choices.get(rank));
        assertThat(greeter.awaitExit(LIMIT)).as(greeter.output()).isZero();
        assertThat(greeter.output()).endsWith("greeted by all true");
      }
    }
  }
}

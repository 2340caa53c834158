package io.busbar.lab.bed;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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

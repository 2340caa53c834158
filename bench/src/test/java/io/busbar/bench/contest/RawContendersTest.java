package io.busbar.bench.contest;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.bench.Figure;
import io.busbar.bench.messages.LatencyBench;
import io.busbar.lab.bed.TestBed;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Raw Ethernet beside its floor, in short and in long frames: all of it crosses the cable. */
@Tag("long")
@Timeout(120)
class RawContendersTest {
  private static final Effort BRIEF = new Effort(0, 1, 1_000_000, 1);

  @ParameterizedTest
  @CsvSource({
    "nic, packet, 1500",
    "nic, xdp, 9000",
    "messages, packet, 9000",
    "messages, xdp, 1500"
  })
  void bothMoveMessagesOfEverySize(String layer, String fabric, int mtu) {
    try (TestBed bed = TestBed.pair();
        Contest contest =
            Contest.trial(new LatencyBench(), new KeptReport(), Scene.jumbo(bed, fabric, mtu))
                .enter("busbar", layer + "-" + fabric)
                .enter("floor", "bare-" + fabric)
                .enter("tcp-frames", "tcp-nio-frames")
                .connect()) {
      for (int bytes : new int[] {64, 1472, 64 << 10}) {
        check(contest.roundTrips(contest.systems(), bytes, BRIEF).roundTrip());
        check(contest.floods(contest.systems(), bytes, BRIEF).bandwidth());
      }
    }
  }

  private static void check(Figure figure) {
    assertThat(figure.systems()).containsOnlyKeys("busbar", "floor", "tcp-frames");
    assertThat(List.copyOf(figure.systems().values())).allMatch(value -> value > 0);
  }
}

package io.busbar.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.linux.SystemCallException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** From where on exchange pays: by given points, and on this machine. */
@Timeout(60)
class CrossoverTest {
  private static Crossover.Point point(long bytes, double send, double receive) {
    return new Crossover.Point(bytes, 100, send, 100, receive);
  }

  @Test
  void exchangeBeginsWhereItIsNeverSlowerAgain() {
    Crossover crossover =
        Crossover.of(
            4096,
            List.of(
                point(1 << 10, 90, 200),
                point(2 << 10, 110, 99),
                point(4 << 10, 100, 80),
                point(8 << 10, 50, 70)));
    assertThat(crossover.sendBytes()).isEqualTo(4 << 10);
    assertThat(crossover.receiveBytes()).isEqualTo(2 << 10);
    assertThat(crossover.toString())
        .startsWith("pages of 4 KB: exchange sends from 4 KB on, receives from 2 KB on")
        .contains("8 KB  send: copy 0.1 us, exchange 0.1");
  }

  @Test
  void whatNeverPaysIsNeverDone() {
    Crossover crossover =
        Crossover.of(4096, List.of(point(1 << 10, 50, 200), point(2048, 101, 101)));
    assertThat(crossover.sendBytes()).isEqualTo(Crossover.NEVER);
    assertThat(crossover.receiveBytes()).isEqualTo(Crossover.NEVER);
    assertThat(crossover.toString()).contains("sends from no size on");
    assertThat(Crossover.at(5).sendBytes()).isEqualTo(5);
  }

  @Test
  void thisMachineIsMeasured() {
    Crossover small = Crossover.measure();
    System.out.println(small);
    assertThat(small.points()).hasSize(9).allMatch(p -> p.exchangeReceiveNs() > 0);
    try {
      Crossover large = Crossover.measureLarge();
      System.out.println(large);
      assertThat(large.points()).hasSize(9);
      assertThat(large.pageBytes()).isEqualTo(Crossover.LARGE);
    } catch (SystemCallException e) {
      assertThat(e).hasMessageContaining("CAP_SYS_ADMIN");
      System.out.println("without large pages: " + e.getMessage());
    }
  }
}

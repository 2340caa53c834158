package io.busbar.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.wire.Header;
import io.busbar.wire.Key;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each value that cannot work is refused by its name. */
class TransportConfigTest {
  private static Arguments bad(String name, UnaryOperator<TransportConfig.Builder> change) {
    return Arguments.of(name, change);
  }

  static List<Arguments> badValues() {
    return List.of(
        bad("frameBytesMax", b -> b.frameBytesMax(255)),
        bad("frameBytesMax", b -> b.frameBytesMax(65_568)),
        bad("associationsMax", b -> b.associationsMax(0)),
        bad("associationsMax", b -> b.associationsMax(Key.INDEX_LIMIT + 1)),
        bad("listenersMax", b -> b.listenersMax(0)),
        bad("creditBudgetBytes", b -> b.creditBudgetBytes(4 * 1_472 - 1)),
        bad("windowBytesMax", b -> b.windowBytesMax(1_471)),
        bad("windowBytesMax", b -> b.windowBytesMax((int) Header.CREDIT_BYTES_MAX + 1)),
        bad("sendQueueMax", b -> b.sendQueueMax(0)),
        bad("burstFramesMax", b -> b.burstFramesMax(1)),
        bad("statusEvery", b -> b.statusEvery(0)),
        bad("statusEvery", b -> b.statusEvery(65_536)),
        bad("fillNs", b -> b.fillNs(-1)),
        bad("ackHoldNs", b -> b.ackHoldNs(-1)),
        bad("ackDelayUs", b -> b.ackDelayUs(-1)),
        bad("rttInitialNs", b -> b.rttInitialNs(0)),
        bad("rtoMinNs", b -> b.rtoNs(0, 100)),
        bad("rtoMinNs", b -> b.rtoNs(100, 99)),
        bad("silenceNs", b -> b.silenceNs(200_000)),
        bad("lingerNs", b -> b.lingerNs(0)),
        bad("creditLifeNs", b -> b.creditLifeNs(0)),
        bad("queueTargetNs", b -> b.queueTargetNs(0)),
        bad("reorderMinNs", b -> b.reorderNs(-1, 5)),
        bad("reorderMinNs", b -> b.reorderNs(6, 5)));
  }

  @ParameterizedTest
  @MethodSource("badValues")
  void isRefusedByName(String name, UnaryOperator<TransportConfig.Builder> change) {
    TransportConfig.Builder builder = change.apply(TransportConfig.builder(1, 1));
    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(name + " is ");
  }

  @Test
  void nodesAndLivesAreChecked() {
    assertThatThrownBy(() -> TransportConfig.defaults(-1, 1)).hasMessageContaining("node is -1");
    assertThatThrownBy(() -> TransportConfig.defaults(Header.EVERYONE, 1))
        .hasMessageContaining("node is 65535");
    assertThatThrownBy(() -> TransportConfig.defaults(1, 0)).hasMessageContaining("incarnation");
  }

  @Test
  void theBuilderPassesEveryValueOn() {
    TransportConfig config =
        TransportConfig.builder(3, 4)
            .cluster(5)
            .seed(6)
            .frameBytesMax(700)
            .crc(true)
            .associationsMax(8)
            .listenersMax(9)
            .creditBudgetBytes(10_000)
            .windowBytesMax(1_100)
            .sendQueueMax(12)
            .burstFramesMax(13)
            .statusEvery(14)
            .fillNs(15)
            .ackHoldNs(16)
            .ackDelayUs(17)
            .rttInitialNs(18)
            .rtoNs(19, 20)
            .silenceNs(21)
            .lingerNs(22)
            .creditLifeNs(23)
            .queueTargetNs(24)
            .reorderNs(25, 26)
            .build();
    assertThat(config)
        .isEqualTo(
            new TransportConfig(
                3, 4, 5, 6, 700, true, 8, 9, 10_000, 1_100, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                22, 23, 24, 25, 26));
  }
}

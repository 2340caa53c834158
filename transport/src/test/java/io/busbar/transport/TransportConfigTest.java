package io.busbar.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.wire.Header;
import io.busbar.wire.Key;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each value that cannot work is refused by its name. */
class TransportConfigTest {
  private enum Bad {
    FRAME_SHORT("frameBytesMax", b -> b.frameBytesMax(255)),
    FRAME_LONG("frameBytesMax", b -> b.frameBytesMax(65_568)),
    NO_ASSOCIATIONS("associationsMax", b -> b.associationsMax(0)),
    MANY_ASSOCIATIONS("associationsMax", b -> b.associationsMax(Key.INDEX_LIMIT + 1)),
    NO_LISTENERS("listenersMax", b -> b.listenersMax(0)),
    NO_BUDGET("creditBudgetBytes", b -> b.creditBudgetBytes(4 * 1_472 - 1)),
    WINDOW_SMALL("windowBytesMax", b -> b.windowBytesMax(1_471)),
    WINDOW_LARGE("windowBytesMax", b -> b.windowBytesMax((int) Header.CREDIT_BYTES_MAX + 1)),
    NO_QUEUE("sendQueueMax", b -> b.sendQueueMax(0)),
    NO_BURST("burstFramesMax", b -> b.burstFramesMax(1)),
    NO_STATUS("statusEvery", b -> b.statusEvery(0)),
    RARE_STATUS("statusEvery", b -> b.statusEvery(65_536)),
    FILL("fillNs", b -> b.fillNs(-1)),
    HOLD("ackHoldNs", b -> b.ackHoldNs(-1)),
    DELAY("ackDelayUs", b -> b.ackDelayUs(-1)),
    ROUND_TRIP("rttInitialNs", b -> b.rttInitialNs(0)),
    TIMEOUT_ZERO("rtoMinNs", b -> b.rtoNs(0, 100)),
    TIMEOUTS_CROSSED("rtoMinNs", b -> b.rtoNs(100, 99)),
    SILENCE("silenceNs", b -> b.silenceNs(200_000)),
    LINGER("lingerNs", b -> b.lingerNs(0)),
    CREDIT_LIFE("creditLifeNs", b -> b.creditLifeNs(0)),
    QUEUE_TARGET("queueTargetNs", b -> b.queueTargetNs(0)),
    REORDER_NEGATIVE("reorderMinNs", b -> b.reorderNs(-1, 5)),
    REORDER_CROSSED("reorderMinNs", b -> b.reorderNs(6, 5));

    final String name;
    final UnaryOperator<TransportConfig.Builder> change;

    Bad(String name, UnaryOperator<TransportConfig.Builder> change) {
      this.name = name;
      this.change = change;
    }
  }

  @ParameterizedTest
  @EnumSource
  void isRefusedByName(Bad bad) {
    TransportConfig.Builder builder = bad.change.apply(TransportConfig.builder(1, 1));
    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(bad.name + " is ");
  }

  @Test
  void nodesAndLivesAreChecked() {
    assertThatThrownBy(() -> TransportConfig.defaults(-1, 1)).hasMessageContaining("node is -1");
    assertThatThrownBy(() -> TransportConfig.defaults(Header.EVERYONE, 1))
        .hasMessageContaining("node is 65535");
    assertThatThrownBy(() -> TransportConfig.defaults(1, 0)).hasMessageContaining("incarnation");
  }

  @Test
  void theDefaultsHoldAndLeaveRoomForGuards() {
    TransportConfig plain = TransportConfig.defaults(1, 1);
    TransportConfig summed = TransportConfig.builder(1, 1).crc(true).build();
    assertThat(plain.payloadBytesMax()).isEqualTo(1_472 - 32);
    assertThat(summed.payloadBytesMax()).isEqualTo(1_472 - 36);
    assertThat(plain.firstBytesMax()).isEqualTo(1_472 - 96);
  }

  @Test
  void theLargestFrameHoldsWhatAHeaderCanSay() {
    TransportConfig config =
        TransportConfig.builder(1, 1).frameBytesMax(65_567).build();
    assertThat(config.payloadBytesMax()).isEqualTo(65_535);
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

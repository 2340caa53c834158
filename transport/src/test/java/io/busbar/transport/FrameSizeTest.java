package io.busbar.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.wire.Seal;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** How much fits into a frame: guards are taken off, and the peer's limit is kept. */
class FrameSizeTest {
  private static final Seal SEAL =
      new Seal() {
        @Override
        public boolean active() {
          return true;
        }

        @Override
        public void seal(MemorySegment frame, long at, int length) {}

        @Override
        public boolean open(MemorySegment frame, long at, int length) {
          return true;
        }
      };

  private static Core core(TransportConfig config, Seal seal) {
    return new Core(config, new QuietUser(), FrameClaims.NONE, seal);
  }

  @Test
  void headerChecksumAndSealAreTakenOff() {
    TransportConfig plain = TransportConfig.defaults(1, 1);
    TransportConfig summed = TransportConfig.builder(1, 1).crc(true).build();
    assertThat(core(plain, Seal.NONE).payloadBytesMax).isEqualTo(1_472 - 32);
    assertThat(core(summed, Seal.NONE).payloadBytesMax).isEqualTo(1_472 - 36);
    assertThat(core(plain, SEAL).payloadBytesMax).isEqualTo(1_472 - 56);
    assertThat(core(summed, SEAL).payloadBytesMax).isEqualTo(1_472 - 60);
    assertThat(core(plain, Seal.NONE).firstBytesMax).isEqualTo(1_472 - 96);
  }

  @Test
  void theLargestFrameHoldsWhatAHeaderCanSay() {
    TransportConfig config = TransportConfig.builder(1, 1).frameBytesMax(65_567).build();
    assertThat(core(config, Seal.NONE).payloadBytesMax).isEqualTo(65_535);
  }

  @Test
  void restingCreditIsAFrameInWholeUnits() {
    assertThat(core(TransportConfig.defaults(1, 1), Seal.NONE).restBytes).isEqualTo(1_536);
  }

  /** The initiator learns it from DIAG at first contact, the responder from FIRST. */
  @Test
  void neitherSideSendsLongerFramesThanTheOtherTakes() {
    assertThat(longestData(9_000, 1_000)).isEqualTo(1_000);
    assertThat(longestData(1_000, 9_000)).isEqualTo(1_000);
    assertThat(longestData(9_000, 9_000)).isEqualTo(9_000);
  }

  /** Whatever both could take: the way between them takes less, and later more again. */
  @Test
  void noLongerFramesThanTheWayTakes() {
    Pair pair = new Pair(config -> config.frameBytesMax(9_000));
    TransportConfig config = TransportConfig.builder(2, Pair.LIFE_B).frameBytesMax(9_000).build();
    pair.b = new End(pair, config, FrameClaims.NONE);
    pair.a.transport.limitFrames(2, 1_200);
    pair.b.transport.limitFrames(1, 1_200);
    pair.listen();
    long association = pair.a.open(pair.b);
    assertThat(longest(pair, association)).isEqualTo(1_200);
    pair.a.transport.limitFrames(2, 700);
    assertThat(longest(pair, association)).isEqualTo(700);
    pair.a.transport.limitFrames(2, 20_000);
    assertThat(longest(pair, association)).isEqualTo(9_000);
  }

  /** Of the frames that carry so much more from one to the other. */
  private static int longest(Pair pair, long association) {
    pair.sent.clear();
    int before = pair.b.bytes.size();
    pair.a.send(association, 40_000, 1);
    pair.run(20 * Pair.MS);
    assertThat(pair.b.bytes.size()).isEqualTo(before + 40_000);
    return pair.sent.stream().mapToInt(frame -> frame.bytes().length).max().orElseThrow();
  }

  private static int longestData(int atA, int atB) {
    Pair pair = new Pair(config -> config.frameBytesMax(atA));
    TransportConfig config = TransportConfig.builder(2, Pair.LIFE_B).frameBytesMax(atB).build();
    pair.b = new End(pair, config, FrameClaims.NONE);
    pair.listen();
    long association = pair.a.open(pair.b);
    pair.a.send(association, 40_000, 1);
    pair.run(20 * Pair.MS);
    pair.b.send(pair.b.accepted.getFirst(), 40_000, 2);
    pair.run(20 * Pair.MS);
    assertThat(pair.b.bytes.size()).isEqualTo(40_000);
    assertThat(pair.a.bytes.size()).isEqualTo(40_000);
    return pair.sent.stream().mapToInt(frame -> frame.bytes().length).max().orElseThrow();
  }
}

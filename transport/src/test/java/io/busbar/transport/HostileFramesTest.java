package io.busbar.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.wire.Header;
import io.busbar.wire.Options;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames that no honest peer sends: they are counted, and nothing breaks. */
class HostileFramesTest {
  private final Pair pair = Pair.listening();
  private long association;

  @BeforeEach
  void open() {
    association = pair.open();
    pair.a.send(association, 2_000, 1);
    pair.run(5 * Pair.MS);
    pair.sent.clear();
  }

  /** A DATA frame from a to b, as a would send it. */
  private byte[] data(long seq, int length, long rseq, int options) {
    byte[] bytes = new byte[Header.BYTES + length];
    Header.write(
        MemorySegment.ofArray(bytes),
        0,
        2,
        7,
        length,
        2,
        1,
        pair.b.accepted(),
        seq,
        rseq,
        4,
        options | Options.RTN);
    return bytes;
  }

  private void inject(byte[] frame) {
    pair.inject(pair.nowNs, 1, frame);
    pair.run(Pair.US);
  }

  private void assertStillWorks() {
    pair.a.send(association, 500, 9);
    pair.b.bytes.reset();
    pair.run(50 * Pair.MS);
    assertThat(pair.b.bytes.toByteArray()).isEqualTo(End.patternBytes(500, 9));
  }

  @Test
  void anAcknowledgementOfWhatWasNeverSentChangesNothing() {
    inject(data(2_000, 10, 1, 0));
    assertThat(pair.b.count(Count.DROP_BAD_ACK)).isEqualTo(1);
    assertThat(pair.b.bytes.size()).isEqualTo(2_000);
    assertStillWorks();
  }

  @Test
  void bytesPastTheEdgeAreDropped() {
    inject(data(1 << 30, 10, 0, 0));
    assertThat(pair.b.count(Count.DROP_OVER_CREDIT)).isEqualTo(1);
    assertThat(pair.b.transport.heldBytes()).isZero();
    assertStillWorks();
  }

  @Test
  void oldBytesAreDuplicates() {
    inject(data(0, 1_000, 0, 0));
    assertThat(pair.b.count(Count.DROP_DUPLICATE)).isEqualTo(1);
    assertStillWorks();
  }

  @Test
  void overlappingPiecesAreDeliveredOnce() {
    inject(data(2_100, 100, 0, 0));
    inject(data(2_300, 100, 0, 0));
    inject(data(2_050, 300, 0, 0));
    inject(data(2_150, 400, 0, 0));
    inject(data(1_900, 150, 0, 0));
    inject(data(2_000, 600, 0, 0));
    assertThat(pair.b.bytes.size()).isBetween(2_350, 2_600);
    assertThat(pair.b.pieces.stream().mapToInt(Integer::intValue).sum())
        .isEqualTo(pair.b.bytes.size());
  }

  @Test
  void aPieceThatCoversGapsKeepsTheEndOfItsMessage() {
    inject(data(2_100, 100, 0, Options.EOM));
    inject(data(2_000, 200, 0, Options.EOM));
    assertThat(pair.b.bytes.size()).isEqualTo(2_200);
    assertThat(pair.b.messageEnds).containsExactly(2_200);
  }

  @Test
  void aStreamHasOneEnd() {
    inject(data(2_200, 100, 0, Options.WCLOSE));
    inject(data(2_000, 100, 0, Options.WCLOSE));
    inject(data(2_300, 100, 0, 0));
    assertThat(pair.b.count(Count.DROP_PAST_END)).isEqualTo(2);
    inject(data(2_000, 200, 0, 0));
    assertThat(pair.b.bytes.size()).isEqualTo(2_300);
    assertThat(pair.b.readEnds).hasSize(1);
  }

  @Test
  void anEndBehindAGapWithoutBytesIsKept() {
    inject(data(2_100, 0, 0, Options.WCLOSE));
    assertThat(pair.b.readEnds).isEmpty();
    inject(data(2_000, 100, 0, 0));
    assertThat(pair.b.bytes.size()).isEqualTo(2_100);
    assertThat(pair.b.readEnds).hasSize(1);
  }

  @Test
  void aKeyUsedByAnotherNodeIsRefused() {
    byte[] frame = data(2_000, 10, 0, 0);
    frame[6] = 9;
    inject(frame);
    assertThat(pair.b.count(Count.DROP_WRONG_NODE)).isEqualTo(1);
    assertThat(pair.b.bytes.size()).isEqualTo(2_000);
  }

  @Test
  void aFrameForAnotherNodeIsNotOurs() {
    byte[] frame = data(2_000, 10, 0, 0);
    frame[4] = 9;
    inject(frame);
    assertThat(pair.b.count(Count.DROP_NOT_FOR_US)).isEqualTo(1);
  }

  @Test
  void moreGapsThanAreKept() {
    long at = 2_000;
    for (int i = 0; i < Spans.MAX + 50; i++) {
      at += 20;
      inject(data(at, 10, 0, 0));
    }
    assertThat(pair.b.count(Count.DROP_TOO_MANY_GAPS)).isEqualTo(50);
    assertThat(pair.sent).allMatch(frame -> frame.bytes().length <= 1_472);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void anyBytesAtAllLeaveTheTransportWhole(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    pair.b.send(pair.b.accepted(), 3_000, 4);
    pair.run(5 * Pair.MS);
    byte[][] samples = pair.sent.stream().map(Sent::bytes).toArray(byte[][]::new);
    for (int i = 0; i < 3_000; i++) {
      byte[] frame = samples[random.nextInt(samples.length)].clone();
      for (int flips = random.nextInt(4); flips >= 0; flips--) {
        frame[random.nextInt(frame.length)] = (byte) random.nextInt();
      }
      if (random.nextInt(4) == 0 && frame.length >= 32) {
        ByteBuffer words = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
        words.putLong(16, random.nextLong(10_000));
      }
      pair.inject(pair.nowNs, 1 + random.nextInt(2), frame);
      pair.run(random.nextInt(20) * Pair.US);
    }
    pair.run(60_000 * Pair.MS);
    assertThat(pair.a.transport.counters().dropped()).isPositive();
    assertThat(pair.a.transport.onTheirWayBytes(2)).isZero();
    assertThat(pair.b.transport.onTheirWayBytes(1)).isZero();
    assertThat(pair.b.transport.creditTakenBytes()).isLessThanOrEqualTo(64L << 20);
  }
}

package io.busbar.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.wire.Format;
import io.busbar.wire.Options;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is lost, doubled, delayed or left unanswered, and what comes of it. */
class RepairTest {
  private final Pair pair = Pair.listening();

  private void assertArrived(End end, int length, int seed) {
    assertThat(end.bytes.size()).isEqualTo(length);
    assertThat(end.bytes.toByteArray()).isEqualTo(End.patternBytes(length, seed));
  }

  @Test
  void aLostFirstIsRepeated() {
    pair.open();
    pair.loseOne(Sent::isFirst);
    pair.a.send(pair.a.open(pair.b), 100, 1);
    pair.run(20 * Pair.MS);

    assertArrived(pair.b, 100, 1);
    assertThat(pair.count(Sent::isFirst)).isEqualTo(2);
  }

  @Test
  void aLostAnswerToFirstIsRepeated() {
    pair.open();
    pair.loseOne(frame -> frame.from() == 2);
    long association = pair.a.open(pair.b);
    pair.a.send(association, 100, 1);
    pair.run(20 * Pair.MS);

    assertThat(pair.a.opened).contains(association);
    assertArrived(pair.b, 100, 1);
    assertThat(pair.b.accepted).hasSize(2);
  }

  @Test
  void aLostDiagnosisOnlyDelays() {
    pair.loseOne(frame -> frame.format() == Format.DIAG);
    pair.a.send(pair.a.open(pair.b), 100, 1);
    pair.run(20 * Pair.MS);

    assertArrived(pair.b, 100, 1);
  }

  @Test
  void aFrameLostInTheMiddleIsAskedForAndRepairedWithoutATimer() {
    long association = pair.open();
    pair.a.send(association, 20_000, 1);
    pair.loseOne(frame -> frame.isData() && frame.seq() > 3_000);
    pair.run(20 * Pair.MS);

    assertArrived(pair.b, 20_000, 1);
    assertThat(pair.a.count(Count.REPAIRS_OUT)).isEqualTo(1);
    assertThat(pair.b.count(Count.REQUESTS_OUT)).isPositive();
    assertThat(pair.a.count(Count.TIMEOUTS)).isZero();
    assertThat(pair.count(frame -> frame.has(Options.REPAIR))).isEqualTo(1);
  }

  @Test
  void aLostLastFrameIsRepairedAfterAStatusRequest() {
    long association = pair.open();
    pair.a.send(association, 5_000, 1);
    pair.loseOne(frame -> frame.isData() && frame.seq() + frame.dataBytes() == 5_000);
    pair.run(20 * Pair.MS);

    assertArrived(pair.b, 5_000, 1);
    assertThat(pair.a.count(Count.REPAIRS_OUT)).isEqualTo(1);
    assertThat(pair.a.count(Count.TIMEOUTS)).isEqualTo(1);
  }

  @Test
  void aLostAnswerIsAskedForAndNothingIsSentAgain() {
    long association = pair.open();
    pair.a.send(association, 1_000, 1);
    pair.loseOne(frame -> frame.from() == 2 && frame.isStatus());
    pair.run(20 * Pair.MS);

    assertArrived(pair.b, 1_000, 1);
    assertThat(pair.a.released).extracting(End.Released::how).containsExactly(Release.DELIVERED);
    assertThat(pair.a.count(Count.REPAIRS_OUT)).isZero();
  }

  @Test
  void aLostCloseIsRepaired() {
    long association = pair.open();
    pair.a.send(association, 1_000, 1);
    pair.run(5 * Pair.MS);
    pair.loseOne(frame -> frame.has(Options.WCLOSE));
    pair.a.closeWrite(association);
    pair.run(20 * Pair.MS);

    assertThat(pair.b.readEnds).hasSize(1);
    assertThat(pair.a.writeEnds).containsEntry(association, 0L);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6})
  void anyLostEndIsSaidAgain(int which) {
    long association = pair.open();
    int[] seen = {0};
    pair.copies = frame -> frame.has(Options.END) && ++seen[0] <= which ? 0 : 1;
    pair.a.closeWrite(association);
    pair.b.closeWrite(pair.b.accepted());
    pair.run(20_000 * Pair.MS);

    assertThat(pair.a.ended).extracting(End.Ended::why).containsExactly(Ending.DISSOLVED);
    assertThat(pair.b.ended).extracting(End.Ended::why).containsExactly(Ending.DISSOLVED);
    pair.assertNothingLeft();
  }

  @Test
  void aTailThatIsLostIsRepairedWhileThePeerGoesOnSending() {
    long association = pair.open();
    long back = pair.b.accepted();
    pair.loseOne(frame -> frame.from() == 1 && frame.isData());
    pair.a.send(association, 1_000, 1);
    for (int i = 0; i < 400; i++) {
      pair.b.send(back, 100, i);
      pair.run(50 * Pair.US);
    }

    assertThat(pair.a.bytes.size()).isGreaterThan(39_000);
    assertArrived(pair.b, 1_000, 1);
  }

  @Test
  void reorderingAloneCausesNoRepairForLong() {
    long association = pair.open();
    SplittableRandom random = new SplittableRandom(7);
    pair.delayNs = frame -> Pair.DELAY_NS + random.nextInt(3) * Pair.US;
    for (int i = 0; i < 40; i++) {
      pair.a.send(association, 50_000, i);
      pair.run(5 * Pair.MS);
    }

    assertThat(pair.b.bytes.size()).isEqualTo(40 * 50_000);
    assertThat(pair.b.count(Count.REORDERED)).isPositive();
    assertThat(pair.a.count(Count.REPAIRS_OUT)).isLessThan(20);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void everythingArrivesOnceInOrderWhateverIsLostDoubledAndReordered(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    pair.copies = frame -> random.nextInt(10) == 0 ? 0 : random.nextInt(10) == 0 ? 2 : 1;
    pair.delayNs = frame -> Pair.DELAY_NS + random.nextInt(40) * Pair.US;
    long association = pair.a.open(pair.b);
    pair.b.duringAccept =
        accepted -> {
          pair.b.send(accepted, 300_000, 2);
          pair.b.closeWrite(accepted);
        };
    pair.a.send(association, 300_000, 1);
    pair.a.closeWrite(association);
    pair.run(20_000 * Pair.MS);

    assertArrived(pair.b, 300_000, 1);
    assertArrived(pair.a, 300_000, 2);
    assertThat(pair.a.ended).containsExactly(new End.Ended(association, Ending.DISSOLVED, 0, 0));
    assertThat(pair.b.ended).extracting(End.Ended::why).containsExactly(Ending.DISSOLVED);
    assertThat(pair.a.count(Count.DROP_BAD_ACK) + pair.b.count(Count.DROP_BAD_ACK)).isZero();
    assertThat(pair.b.count(Count.DROP_OVER_CREDIT)).isZero();
    pair.assertNothingLeft();
  }

  @Test
  void manyGapsInSmallFramesFitTheRequest() {
    Pair small = Pair.listening(builder -> builder.frameBytesMax(256));
    long association = small.open();
    small.a.send(association, 200_000, 1);
    small.run(100 * Pair.MS);
    small.a.send(association, 200_000, 2);
    int[] count = {0};
    small.copies = frame -> frame.isData() && ++count[0] % 2 == 0 ? 0 : 1;
    small.run(20 * Pair.MS);
    small.copies = frame -> 1;
    small.run(10_000 * Pair.MS);

    assertThat(small.b.bytes.size()).isEqualTo(400_000);
    assertThat(small.b.count(Count.REQUESTS_OUT)).isPositive();
    assertThat(small.sent).allMatch(frame -> frame.bytes().length <= 256);
  }

  @Test
  void aSilentPeerEndsItWithinTheBound() {
    long association = pair.open();
    pair.copies = frame -> 0;
    pair.a.send(association, 1_000, 1);
    pair.run(9_900 * Pair.MS);
    assertThat(pair.a.ended).isEmpty();
    pair.run(700 * Pair.MS);

    assertThat(pair.a.ended)
        .containsExactly(new End.Ended(association, Ending.PEER_SILENT, 1_000, 0));
    assertThat(pair.a.transport.onTheirWayBytes(2)).isZero();
  }

  @Test
  void aPeerThatNeverAnsweredFirstIsSilent() {
    pair.copies = frame -> 0;
    long association = pair.a.open(pair.b);
    pair.run(11_000 * Pair.MS);

    assertThat(pair.a.ended).containsExactly(new End.Ended(association, Ending.PEER_SILENT, 0, 0));
    pair.run(15_000 * Pair.MS);
    pair.assertNothingLeft();
  }

  @Test
  void aCarrierWithoutRoomLosesNothing() {
    long association = pair.open();
    pair.a.send(association, 50_000, 1);
    pair.jammed = true;
    pair.run(Pair.MS);
    assertThat(pair.a.transport.hasFramesWaiting()).isTrue();
    pair.jammed = false;
    pair.run(10 * Pair.MS);

    assertThat(pair.a.transport.hasFramesWaiting()).isFalse();
    assertArrived(pair.b, 50_000, 1);
    assertThat(pair.a.count(Count.REPAIRS_OUT)).isZero();
  }

  @Test
  void theRepairOfTheLastGapAsksForStatusWhenCreditHoldsTheRestBack() {
    Pair narrow = Pair.listening(builder -> builder.windowBytesMax(14_400));
    long association = narrow.open();
    narrow.a.send(association, 14_400, 0);
    narrow.run(5 * Pair.MS);
    narrow.sent.clear();
    narrow.b.consumes = false;
    narrow.loseOne(Sent::isData);
    narrow.a.send(association, 100_000, 1);
    narrow.run(Pair.MS / 4);

    assertThat(narrow.sent.stream().filter(frame -> frame.has(Options.REPAIR)))
        .hasSize(1)
        .allMatch(frame -> frame.has(Options.SREQ));
  }
}

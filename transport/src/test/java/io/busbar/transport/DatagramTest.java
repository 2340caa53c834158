package io.busbar.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.wire.Format;
import io.busbar.wire.Options;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Datagrams: each at most once, lost ones stay lost. */
class DatagramTest {
  private final Pair pair = Pair.listening();
  private long association;

  @BeforeEach
  void open() {
    pair.a.datagrams = true;
    pair.b.datagrams = true;
    association = pair.a.open(pair.b, Service.DATAGRAM, 0);
  }

  private void send(int many) {
    for (int i = 0; i < many; i++) {
      pair.a.send(association, 100 + i, i);
    }
  }

  private static Integer[] lengths(int many) {
    Integer[] lengths = new Integer[many];
    for (int i = 0; i < many; i++) {
      lengths[i] = 100 + i;
    }
    return lengths;
  }

  @Test
  void withoutLossAllArriveOnceEachWhole() {
    send(200);
    pair.run(50 * Pair.MS);

    assertThat(pair.b.pieces).containsExactly(lengths(200));
    assertThat(pair.b.messageEnds).hasSize(200);
    assertThat(pair.a.released).hasSize(200).allMatch(buffer -> buffer.how() == Release.SENT);
    assertThat(pair.b.count(Count.DROP_DUPLICATE)).isZero();
  }

  @Test
  void nothingLeavesBeforeTheLifeIsKnownButAQuestion() {
    send(3);
    pair.run(Pair.DELAY_NS);

    assertThat(pair.sentBy(pair.a)).hasSize(1);
    assertThat(pair.sentBy(pair.a).getFirst().dataBytes()).isZero();
    pair.run(10 * Pair.MS);
    assertThat(pair.b.pieces).containsExactly(lengths(3));
  }

  @Test
  void onceAnsweredTheyUseTheShortKeyAndAreNotAcknowledged() {
    send(1);
    pair.run(10 * Pair.MS);
    pair.sent.clear();
    send(5);
    pair.run(10 * Pair.MS);

    assertThat(pair.sent).hasSize(5).allMatch(frame -> frame.has(Options.RTN) && frame.isData());
    assertThat(pair.a.opened).containsExactly(association);
  }

  @Test
  void doublesAreDropped() {
    pair.copies = frame -> 2;
    send(100);
    pair.run(50 * Pair.MS);

    assertThat(pair.b.pieces).containsExactlyInAnyOrder(lengths(100));
    assertThat(pair.b.count(Count.DROP_DUPLICATE)).isEqualTo(100);
  }

  @Test
  void orderIsFree() {
    send(1);
    pair.run(10 * Pair.MS);
    SplittableRandom random = new SplittableRandom(3);
    pair.delayNs = frame -> Pair.DELAY_NS + random.nextInt(50) * Pair.US;
    pair.b.pieces.clear();
    send(60);
    pair.run(50 * Pair.MS);

    assertThat(pair.b.pieces).containsExactlyInAnyOrder(lengths(60));
    assertThat(pair.b.pieces).isNotEqualTo(java.util.List.of(lengths(60)));
  }

  @Test
  void lostOnesStayLost() {
    send(1);
    pair.run(10 * Pair.MS);
    pair.loseOne(Sent::isData);
    send(10);
    pair.run(50 * Pair.MS);

    assertThat(pair.b.pieces).hasSize(10);
    assertThat(pair.a.count(Count.REPAIRS_OUT)).isZero();
  }

  @Test
  void aLostQuestionIsAskedAgain() {
    pair.loseOne(Sent::isFirst);
    send(3);
    pair.run(50 * Pair.MS);

    assertThat(pair.b.pieces).containsExactly(lengths(3));
  }

  @Test
  void aLostDiagnosisDoesNotHoldThemBackWhenAnotherAssociationLearntTheLife() {
    pair.loseOne(frame -> frame.format() == Format.DIAG);
    send(3);
    pair.a.open(pair.b);
    pair.run(50 * Pair.MS);

    assertThat(pair.b.pieces).containsExactly(lengths(3));
  }

  @Test
  void aPeerThatNeverAnswersIsSilent() {
    pair.copies = frame -> 0;
    send(2);
    pair.run(30_000 * Pair.MS);

    assertThat(pair.a.ended)
        .containsExactly(new End.Ended(association, Ending.PEER_SILENT, 201, 0));
    assertThat(pair.a.released)
        .extracting(End.Released::how)
        .containsExactly(Release.UNDELIVERED, Release.UNDELIVERED);
  }

  @Test
  void theResponderSendsTooAndCloseDissolves() {
    send(1);
    pair.run(10 * Pair.MS);
    pair.b.send(pair.b.accepted(), 50, 1);
    pair.run(10 * Pair.MS);
    assertThat(pair.a.pieces).containsExactly(50);
    pair.a.closeWrite(association);
    pair.run(10 * Pair.MS);

    assertThat(pair.a.ended).extracting(End.Ended::why).containsExactly(Ending.DISSOLVED);
    assertThat(pair.b.ended).extracting(End.Ended::why).containsExactly(Ending.DISSOLVED);
    pair.run(2_000 * Pair.MS);
    pair.assertNothingLeft();
  }

  @Test
  void whatWasQueuedLeavesBeforeTheClose() {
    send(20);
    pair.a.closeWrite(association);
    pair.run(50 * Pair.MS);

    assertThat(pair.b.pieces).containsExactly(lengths(20));
    assertThat(pair.a.ended).extracting(End.Ended::why).containsExactly(Ending.DISSOLVED);
  }

  @Test
  void theLongestFitsIntoFirst() {
    int most = pair.a.transport.datagramBytesMax();
    pair.a.send(association, most, 4);
    pair.run(10 * Pair.MS);

    assertThat(pair.b.bytes.toByteArray()).isEqualTo(End.patternBytes(most, 4));
    assertThat(pair.sent).allMatch(frame -> frame.bytes().length <= 1472);
  }

  @Test
  void sendingAgainInOnReleasedIsBoundByThePace() {
    pair.run(10 * Pair.MS);
    pair.a.duringRelease = buffer -> pair.a.send(association, 100, 1);
    send(1);
    pair.run(10 * Pair.MS);

    assertThat(pair.b.pieces).hasSizeBetween(50, 1_000);
  }

  @Test
  void abortInOnReleased() {
    pair.run(10 * Pair.MS);
    send(5);
    pair.a.duringRelease =
        buffer -> {
          if (pair.a.ended.isEmpty() && pair.a.released.size() == 2) {
            pair.a.abort(association);
          }
        };
    pair.run(10 * Pair.MS);

    assertThat(pair.a.released)
        .extracting(End.Released::how)
        .containsExactly(
            Release.SENT,
            Release.SENT,
            Release.UNDELIVERED,
            Release.UNDELIVERED,
            Release.UNDELIVERED);
    assertThat(pair.a.ended)
        .containsExactly(new End.Ended(association, Ending.ABORTED, 102 + 103 + 104, 0));
  }
}

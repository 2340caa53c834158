package io.busbar.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.wire.Options;
import org.junit.jupiter.api.Test;

/** Windows, the budget, and readers that do not read. */
class CreditTest {
  private static final int WINDOW = 16 << 10;

  private final Pair pair = Pair.listening(builder -> builder.windowBytesMax(WINDOW));

  @Test
  void aReaderThatConsumesNothingStopsTheSenderAtTheWindow() {
    long association = pair.open();
    pair.b.consumes = false;
    pair.a.send(association, 4 * WINDOW, 1);
    pair.run(100 * Pair.MS);

    assertThat(pair.b.bytes.size()).isEqualTo(WINDOW);
    assertThat(pair.b.transport.creditTakenBytes()).isEqualTo(WINDOW);
    assertThat(pair.a.count(Count.CREDIT_STALLS)).isPositive();
    assertThat(pair.b.count(Count.DROP_OVER_CREDIT)).isZero();
  }

  @Test
  void consumingResumesTheSenderWithoutATimer() {
    long association = pair.open();
    pair.b.consumes = false;
    pair.a.send(association, 3 * WINDOW, 1);
    pair.run(100 * Pair.US);
    assertThat(pair.b.bytes.size()).isEqualTo(WINDOW);
    pair.b.consumes = true;
    pair.b.transport.consumed(pair.nowNs, pair.b.accepted(), WINDOW);
    pair.run(100 * Pair.MS);

    assertThat(pair.b.bytes.toByteArray()).isEqualTo(End.patternBytes(3 * WINDOW, 1));
    assertThat(pair.a.count(Count.TIMEOUTS)).isZero();
  }

  @Test
  void aLostCreditOnlyDelays() {
    long association = pair.open();
    pair.b.consumes = false;
    pair.a.send(association, 3 * WINDOW, 1);
    pair.run(100 * Pair.MS);
    pair.b.consumes = true;
    pair.loseOne(frame -> frame.from() == 2);
    pair.b.transport.consumed(pair.nowNs, pair.b.accepted(), WINDOW);
    pair.run(2_000 * Pair.MS);

    assertThat(pair.b.bytes.toByteArray()).isEqualTo(End.patternBytes(3 * WINDOW, 1));
  }

  @Test
  void aSenderThatWaitsForCreditIsNotSilent() {
    long association = pair.open();
    pair.b.consumes = false;
    pair.a.send(association, 3 * WINDOW, 1);
    pair.run(60_000 * Pair.MS);

    assertThat(pair.a.ended).isEmpty();
    pair.b.consumes = true;
    pair.b.transport.consumed(pair.nowNs, pair.b.accepted(), WINDOW);
    pair.run(2_000 * Pair.MS);
    assertThat(pair.b.bytes.size()).isEqualTo(3 * WINDOW);
  }

  @Test
  void aStreamAtRestHoldsNothing() {
    long association = pair.open();
    pair.a.send(association, 3 * WINDOW, 1);
    pair.run(10 * Pair.MS);
    assertThat(pair.b.transport.creditTakenBytes()).isPositive();
    pair.run(200 * Pair.MS);

    assertThat(pair.b.transport.creditTakenBytes()).isZero();
    assertThat(pair.a.transport.busyParts() + pair.b.transport.busyParts()).isZero();
    pair.a.send(association, 3 * WINDOW, 1);
    pair.run(10 * Pair.MS);
    assertThat(pair.b.bytes.size()).isEqualTo(6 * WINDOW);
    assertThat(pair.b.count(Count.DROP_OVER_CREDIT)).isZero();
  }

  @Test
  void windowsTogetherNeverExceedTheBudget() {
    Pair tight = Pair.listening(builder -> builder.creditBudgetBytes(32 << 10));
    tight.b.consumes = false;
    for (int i = 0; i < 40; i++) {
      tight.a.send(tight.a.open(tight.b), 20_000, i);
      tight.run(Pair.MS);
      assertThat(tight.b.transport.creditTakenBytes()).isLessThanOrEqualTo(32 << 10);
    }
    tight.run(100 * Pair.MS);
    assertThat(tight.b.bytes.size()).isLessThanOrEqualTo(32 << 10);
    assertThat(tight.b.count(Count.DROP_NO_BUDGET)).isPositive();
  }

  @Test
  void whatTheBudgetRefusedArrivesLater() {
    Pair tight = Pair.listening(builder -> builder.creditBudgetBytes(32 << 10));
    for (int i = 0; i < 40; i++) {
      tight.a.send(tight.a.open(tight.b), 20_000, i);
    }
    tight.run(20_000 * Pair.MS);

    assertThat(tight.b.bytes.size()).isEqualTo(40 * 20_000);
  }

  @Test
  void aCreditIsNotBelievedLongerThanItIsKept() {
    Pair tight =
        Pair.listening(builder -> builder.creditBudgetBytes(4 * WINDOW).windowBytesMax(WINDOW));
    long association = tight.open();
    tight.a.send(association, 100_000, 1);
    tight.run(10 * Pair.MS);
    for (int i = 0; i < 30; i++) {
      tight.b.send(tight.b.accepted(), 100, i);
      tight.run(10 * Pair.MS);
    }
    assertThat(tight.b.transport.creditTakenBytes()).isZero();
    tight.b.consumes = false;
    for (int i = 0; i < 12; i++) {
      tight.a.send(tight.a.open(tight.b), WINDOW, i);
      tight.run(Pair.MS);
    }
    long before = tight.b.count(Count.DROP_OVER_CREDIT);
    tight.a.send(association, WINDOW, 2);
    tight.run(5 * Pair.MS);

    assertThat(tight.b.count(Count.DROP_OVER_CREDIT)).isEqualTo(before);
  }

  @Test
  void closeReadTellsTheWriterWhatWasNotTaken() {
    long association = pair.open();
    pair.b.consumes = false;
    pair.a.send(association, 4 * WINDOW, 1);
    pair.run(Pair.MS);
    pair.b.transport.closeRead(pair.nowNs, pair.b.accepted());
    pair.run(Pair.MS);

    assertThat(pair.a.writeEnds).containsEntry(association, 3L * WINDOW);
    assertThat(pair.a.released).extracting(End.Released::how).containsExactly(Release.UNDELIVERED);
    assertThat(pair.b.transport.creditTakenBytes()).isZero();
    assertThat(pair.a.transport.onTheirWayBytes(2)).isZero();
    assertThat(pair.a.ended).isEmpty();
  }

  @Test
  void bothCloseReadEarlyAndDissolve() {
    long association = pair.open();
    pair.a.transport.closeRead(pair.nowNs, association);
    pair.b.transport.closeRead(pair.nowNs, pair.b.accepted());
    pair.run(5 * Pair.MS);

    assertThat(pair.a.ended).containsExactly(new End.Ended(association, Ending.DISSOLVED, 0, 0));
    assertThat(pair.b.ended).extracting(End.Ended::why).containsExactly(Ending.DISSOLVED);
    pair.run(2_000 * Pair.MS);
    pair.assertNothingLeft();
  }

  @Test
  void aQueueThatIsFullSaysNoAndLaterThatThereIsRoom() {
    Pair small = Pair.listening(builder -> builder.sendQueueMax(4));
    long association = small.open();
    for (int i = 0; i < 4; i++) {
      assertThat(small.a.send(association, End.pattern(100, i), false)).isTrue();
    }
    assertThat(small.a.send(association, End.pattern(100, 9), false)).isFalse();
    assertThat(small.a.sendable).isZero();
    small.run(5 * Pair.MS);

    assertThat(small.a.sendable).isEqualTo(1);
    assertThat(small.b.bytes.size()).isEqualTo(400);
    assertThat(small.a.released).hasSize(4);
  }

  @Test
  void aSmallFramesCreditIsEnoughForTheResponder() {
    Pair small = Pair.listening(builder -> builder.frameBytesMax(256));
    small.open();
    small.b.send(small.b.accepted(), 5_000, 1);
    small.run(50 * Pair.MS);

    assertThat(small.a.bytes.toByteArray()).isEqualTo(End.patternBytes(5_000, 1));
    assertThat(small.sent).noneMatch(frame -> frame.has(Options.REPAIR));
  }
}

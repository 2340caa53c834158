package io.busbar.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.wire.Format;
import io.busbar.wire.Frame;
import io.busbar.wire.Key;
import io.busbar.wire.Options;
import org.junit.jupiter.api.Test;

/** How an association begins, moves bytes, closes and ends, on a network that loses nothing. */
class AssociationLifeTest {
  private final Pair pair = Pair.listening();

  /** Makes the lives known to both sides, so that a FIRST is accepted at once. */
  private void meet() {
    long association = pair.open();
    pair.a.abort(association);
    pair.run(2_000 * Pair.MS);
    pair.sent.clear();
    pair.a.events.clear();
    pair.b.events.clear();
    pair.b.accepted.clear();
    pair.b.pieces.clear();
    pair.a.ended.clear();
    pair.b.ended.clear();
  }

  private long both() {
    meet();
    return pair.open();
  }

  private End.Ended only(End end) {
    assertThat(end.ended).hasSize(1);
    return end.ended.getFirst();
  }

  @Test
  void firstCarriesDataAndIsAnsweredWithTheResponder() {
    meet();
    long association = pair.a.open(pair.b);
    pair.a.send(association, 500, 1);
    pair.run(Pair.MS);

    assertThat(pair.sent).hasSize(2);
    assertThat(pair.sent.get(0).format()).isEqualTo(Format.FIRST);
    assertThat(pair.sent.get(0).dataBytes()).isEqualTo(500);
    assertThat(pair.b.pieces).containsExactly(500);
    assertThat(pair.b.bytes.toByteArray()).isEqualTo(End.patternBytes(500, 1));
    Frame.Control answer = (Frame.Control) pair.sent.get(1).frame();
    assertThat(answer.ownKey()).isEqualTo(pair.b.accepted());
    assertThat(answer.rseq()).isEqualTo(500);
    assertThat(pair.a.events).containsExactly("opened");
    assertThat(pair.b.events).containsExactly("accepted");
  }

  @Test
  void theOfferTellsWhatFirstSaid() {
    meet();
    pair.b.offers.clear();
    pair.a.transport.open(pair.nowNs, 2, 7, Service.STREAM, 1234, 80, 0, 0x7777_6666_5555_4444L);
    pair.run(Pair.MS);

    assertThat(pair.b.offers)
        .containsExactly(
            new Offer(1, Pair.LIFE_A, 7, Service.STREAM, 1234, 80, 0x7777_6666_5555_4444L));
  }

  @Test
  void laterFramesUseTheKeyOfTheirReceiver() {
    long association = both();
    pair.a.send(association, 3_000, 1);
    pair.b.send(pair.b.accepted(), 3_000, 2);
    pair.run(5 * Pair.MS);

    assertThat(pair.sent).isNotEmpty().allMatch(frame -> frame.has(Options.RTN));
    assertThat(pair.sentBy(pair.a))
        .allMatch(frame -> frame.frame().envelope().key() == pair.b.accepted());
    assertThat(pair.sentBy(pair.b))
        .allMatch(frame -> frame.frame().envelope().key() == association);
    assertThat(pair.b.bytes.toByteArray()).isEqualTo(End.patternBytes(3_000, 1));
    assertThat(pair.a.bytes.toByteArray()).isEqualTo(End.patternBytes(3_000, 2));
  }

  @Test
  void endsOfMessagesAreKept() {
    long association = both();
    int at = 0;
    Integer[] ends = new Integer[6];
    int[] lengths = {1, 700, 1440, 1441, 5000, 3};
    for (int i = 0; i < lengths.length; i++) {
      assertThat(pair.a.send(association, End.pattern(lengths[i], i), true)).isTrue();
      at += lengths[i];
      ends[i] = at;
    }
    pair.run(5 * Pair.MS);

    assertThat(pair.b.messageEnds).containsExactly(ends);
    assertThat(pair.b.bytes.size()).isEqualTo(at);
  }

  @Test
  void aMessageInFirstKeepsItsEnd() {
    meet();
    long association = pair.a.open(pair.b);
    pair.a.send(association, End.pattern(10, 0), true);
    pair.a.send(association, End.pattern(10, 1), true);
    pair.run(5 * Pair.MS);

    assertThat(pair.b.messageEnds).containsExactly(10, 20);
  }

  @Test
  void oneWayMayCloseWhileTheOtherGoesOn() {
    long association = both();
    pair.a.send(association, 100, 1);
    pair.a.closeWrite(association);
    pair.run(5 * Pair.MS);

    assertThat(pair.b.readEnds).containsExactly(pair.b.accepted());
    assertThat(pair.a.writeEnds).containsEntry(association, 0L);
    assertThat(pair.a.ended).isEmpty();
    pair.b.send(pair.b.accepted(), 5_000, 3);
    pair.run(5 * Pair.MS);
    assertThat(pair.a.bytes.toByteArray()).isEqualTo(End.patternBytes(5_000, 3));
  }

  @Test
  void theResponderMayCloseFirst() {
    long association = both();
    pair.b.send(pair.b.accepted(), 100, 1);
    pair.b.closeWrite(pair.b.accepted());
    pair.run(5 * Pair.MS);

    assertThat(pair.a.readEnds).containsExactly(association);
    assertThat(pair.b.writeEnds).containsEntry(pair.b.accepted(), 0L);
    pair.a.send(association, 100, 4);
    pair.run(5 * Pair.MS);
    assertThat(pair.b.bytes.toByteArray()).isEqualTo(End.patternBytes(100, 4));
  }

  @Test
  void bothClosedIsDissolvedOnBothSides() {
    long association = both();
    pair.a.send(association, 100, 1);
    pair.a.closeWrite(association);
    pair.run(5 * Pair.MS);
    pair.b.closeWrite(pair.b.accepted());
    pair.run(5 * Pair.MS);

    assertThat(only(pair.a)).isEqualTo(new End.Ended(association, Ending.DISSOLVED, 0, 0));
    assertThat(only(pair.b).why()).isEqualTo(Ending.DISSOLVED);
    assertThat(pair.a.events).endsWith("writeEnd 0", "readEnd", "ended DISSOLVED");
    assertThat(pair.b.events).endsWith("readEnd", "writeEnd 0", "ended DISSOLVED");
    assertThat(pair.a.count(Count.TIMEOUTS) + pair.b.count(Count.TIMEOUTS)).isZero();
  }

  @Test
  void anAssociationOfOneFrameDissolves() {
    meet();
    long association = pair.a.open(pair.b);
    pair.a.send(association, 50, 1);
    pair.a.closeWrite(association);
    pair.b.duringAccept = pair.b::closeWrite;
    pair.run(5 * Pair.MS);

    assertThat(only(pair.a).why()).isEqualTo(Ending.DISSOLVED);
    assertThat(only(pair.b).why()).isEqualTo(Ending.DISSOLVED);
    assertThat(pair.b.bytes.size()).isEqualTo(50);
  }

  @Test
  void aDissolvedKeyLingersAndItsSlotComesBackWithTheNextGeneration() {
    long association = both();
    pair.a.closeWrite(association);
    pair.b.closeWrite(pair.b.accepted());
    pair.run(10 * Pair.MS);
    assertThat(pair.a.transport.associations()).isEqualTo(1);
    assertThat(pair.b.transport.associations()).isEqualTo(1);

    pair.run(2_000 * Pair.MS);
    pair.assertNothingLeft();
    long next = pair.a.open(pair.b);
    assertThat(Key.index(next)).isEqualTo(Key.index(association));
    assertThat(Key.generation(next)).isEqualTo(Key.generation(association) + 1);
  }

  @Test
  void abortEndsBothSidesAndTellsWhatWasNotDelivered() {
    long association = both();
    pair.a.send(association, 100_000, 1);
    pair.a.abort(association);
    pair.run(5 * Pair.MS);

    assertThat(only(pair.a)).isEqualTo(new End.Ended(association, Ending.ABORTED, 100_000, 0));
    assertThat(only(pair.b).why()).isEqualTo(Ending.ABORTED_BY_PEER);
    assertThat(pair.a.released).extracting(End.Released::how).containsExactly(Release.UNDELIVERED);
    pair.run(2_000 * Pair.MS);
    pair.assertNothingLeft();
  }

  @Test
  void abortWithDataOnItsWayIsAnsweredAtOnce() {
    long association = both();
    pair.a.send(association, 5_000, 1);
    pair.run(15 * Pair.US);
    assertThat(pair.a.transport.onTheirWayBytes(2)).isPositive();
    pair.a.abort(association);
    pair.run(10 * Pair.MS);

    assertThat(pair.a.transport.onTheirWayBytes(2)).isZero();
    assertThat(only(pair.b).why()).isEqualTo(Ending.ABORTED_BY_PEER);
    assertThat(pair.sentBy(pair.a).stream().filter(f -> f.has(Options.END))).hasSize(1);
    assertThat(pair.a.count(Count.DROP_BAD_ACK)).isZero();
  }

  @Test
  void anAbortBeforeFirstLeftSendsNoData() {
    meet();
    long association = pair.a.open(pair.b);
    pair.a.send(association, 100, 1);
    pair.a.abort(association);
    pair.run(20_000 * Pair.MS);

    assertThat(only(pair.a)).isEqualTo(new End.Ended(association, Ending.ABORTED, 100, 0));
    assertThat(pair.b.accepted).isEmpty();
    pair.assertNothingLeft();
  }

  @Test
  void aUserMayRefuse() {
    meet();
    pair.b.verdict = 42;
    long association = pair.a.open(pair.b);
    pair.a.send(association, 10, 1);
    pair.run(5 * Pair.MS);

    assertThat(only(pair.a)).isEqualTo(new End.Ended(association, Ending.REFUSED, 10, 42));
    assertThat(pair.b.events).isEmpty();
    pair.run(2_000 * Pair.MS);
    pair.assertNothingLeft();
  }

  @Test
  void nobodyListens() {
    meet();
    long association = pair.a.transport.open(pair.nowNs, 2, 7, Service.STREAM, 1, 81, 0, 0);
    pair.run(5 * Pair.MS);

    assertThat(only(pair.a)).isEqualTo(new End.Ended(association, Ending.NO_LISTENER, 0, 0));
    assertThat(pair.b.transport.associations()).isZero();
  }

  @Test
  void aListenerThatListensOnceTakesOne() {
    Pair once = new Pair(builder -> builder);
    int context = once.b.transport.listenOnce(Criteria.port(7, 80));
    once.open();
    assertThat(once.b.accepted).hasSize(1);
    assertThat(once.b.transport.contextState(context)).isEqualTo(ContextState.QUIESCENT);
    once.open();
    assertThat(once.a.ended).extracting(End.Ended::why).containsExactly(Ending.NO_LISTENER);
  }

  @Test
  void aFullTableIsBusy() {
    Pair small = Pair.listening(builder -> builder.associationsMax(1));
    small.open();
    long own = small.b.accepted();
    small.a.abort(small.a.opened.getFirst());
    small.run(1_100 * Pair.MS);
    assertThat(small.b.transport.associations()).isZero();
    long other = small.b.transport.open(small.nowNs, 9, 7, Service.STREAM, 1, 80, 0, 0);
    assertThat(other).isNotEqualTo(own);
    small.a.open(small.b);
    small.run(5 * Pair.MS);
    assertThat(small.a.ended.getLast().why()).isEqualTo(Ending.BUSY);
  }

  @Test
  void statesFollowTheDiagram() {
    long association = both();
    assertThat(pair.a.transport.state(association)).isEqualTo(ContextState.ACTIVE);
    pair.a.closeWrite(association);
    pair.b.closeWrite(pair.b.accepted());
    pair.a.duringEnd =
        end ->
            assertThat(pair.a.transport.state(end.association())).isEqualTo(ContextState.INACTIVE);
    pair.run(5 * Pair.MS);
    assertThat(pair.a.ended).hasSize(1);
    assertThat(pair.a.transport.state(association)).isEqualTo(ContextState.QUIESCENT);
  }
}

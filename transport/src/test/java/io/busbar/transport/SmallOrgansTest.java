package io.busbar.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Organs of a screen or less: turns, states, criteria, the copy store, parts and farewells. */
class SmallOrgansTest {
  private final QuietUser user = new QuietUser();
  private final Association first = QuietUser.association(user, 1);
  private final Association second = QuietUser.association(user, 2);
  private final Association third = QuietUser.association(user, 3);

  private static List<Long> drain(Turns turns) {
    List<Long> order = new ArrayList<>();
    while (!turns.isEmpty()) {
      order.add(turns.first().localKey);
      turns.removeFirst();
    }
    return order;
  }

  @Test
  void turnsRotate() {
    Turns turns = new Turns();
    turns.add(first);
    turns.rotate();
    assertThat(turns.first()).isSameAs(first);
    turns.add(second);
    turns.add(third);
    turns.rotate();
    assertThat(drain(turns)).containsExactly(2L, 3L, 1L);
    assertThat(first.turn).isNull();
  }

  @Test
  void turnsMoveFromOneQueueToAnother() {
    Turns ready = new Turns();
    Turns filling = new Turns();
    ready.add(first);
    filling.add(second);
    filling.add(third);
    ready.takeAll(filling);
    assertThat(filling.isEmpty()).isTrue();
    assertThat(second.turn).isSameAs(ready);
    assertThat(drain(ready)).containsExactly(1L, 2L, 3L);
  }

  @Test
  void anEmptyQueueHasNoFirst() {
    assertThatThrownBy(new Turns()::first).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void statesLeadWhereTheDiagramSays() {
    assertThat(ContextState.QUIESCENT.listen()).isEqualTo(ContextState.LISTENING);
    assertThat(ContextState.QUIESCENT.initiate()).isEqualTo(ContextState.ACTIVE);
    assertThat(ContextState.LISTENING.match()).isEqualTo(ContextState.ACTIVE);
    assertThat(ContextState.LISTENING.cancel()).isEqualTo(ContextState.QUIESCENT);
    assertThat(ContextState.ACTIVE.bothClosed()).isEqualTo(ContextState.INACTIVE);
    assertThat(ContextState.ACTIVE.abort()).isEqualTo(ContextState.QUIESCENT);
    assertThat(ContextState.INACTIVE.dissolve()).isEqualTo(ContextState.QUIESCENT);
  }

  private static Offer offer(int peer, int proto, int port) {
    return new Offer(peer, 5, proto, Service.STREAM, 1, port, 99);
  }

  @Test
  void criteriaMatchPortProtoAndPeer() {
    Criteria criteria = new Criteria(7, 10, 20, 3, offer -> true);
    assertThat(criteria.matches(offer(3, 7, 10))).isTrue();
    assertThat(criteria.matches(offer(3, 7, 20))).isTrue();
    assertThat(criteria.matches(offer(3, 7, 9))).isFalse();
    assertThat(criteria.matches(offer(3, 7, 21))).isFalse();
    assertThat(criteria.matches(offer(3, 8, 15))).isFalse();
    assertThat(criteria.matches(offer(4, 7, 15))).isFalse();
  }

  @Test
  void criteriaMayLeaveThingsOpenOrAskForMore() {
    Criteria any = new Criteria(Criteria.ANY, 10, 20, Criteria.ANY, offer -> offer.tag() == 99);
    assertThat(any.matches(offer(1, 1, 15))).isTrue();
    Criteria picky = new Criteria(Criteria.ANY, 10, 20, Criteria.ANY, offer -> offer.tag() == 98);
    assertThat(picky.matches(offer(1, 1, 15))).isFalse();
    assertThat(Criteria.port(7, 80).matches(offer(9, 7, 80))).isTrue();
  }

  @Test
  void criteriaThatNothingCouldMatchAreRefused() {
    assertThatThrownBy(() -> new Criteria(7, 20, 10, 3, offer -> true))
        .hasMessageContaining("20 and 10");
  }

  @Test
  void theCopyStoreKeepsBytesAndUsesChunksAgain() {
    CopyStore store = new CopyStore(100, 250);
    MemorySegment bytes = End.pattern(60, 3);
    MemorySegment one = Objects.requireNonNull(store.keep(bytes, 10, 50));
    assertThat(one.asSlice(0, 50).toArray(ValueLayout.JAVA_BYTE))
        .isEqualTo(bytes.asSlice(10, 50).toArray(ValueLayout.JAVA_BYTE));
    assertThat(store.heldBytes()).isEqualTo(100);
    assertThat(store.keep(bytes, 0, 60)).isNotNull();
    assertThat(store.keep(bytes, 0, 60)).isNull();
    store.giveBack(one);
    assertThat(store.heldBytes()).isEqualTo(100);
    assertThat(store.keep(bytes, 0, 60)).isSameAs(one);
  }

  @Test
  void partsAreUsedAgainOnlyAfterTheOutermostCall() {
    Parts parts = new Parts(TransportConfig.defaults(1, 1));
    parts.hold();
    SendQueue queue = parts.queue();
    parts.retire(queue);
    assertThat(parts.inUse()).isZero();
    parts.hold();
    parts.settle();
    SendQueue other = parts.queue();
    assertThat(other).isNotSameAs(queue);
    parts.settle();
    assertThat(parts.queue()).isSameAs(queue);
  }

  @Test
  void aFarewellIsSaidWithBackOffUntilTheSilenceBound() {
    TransportConfig config =
        TransportConfig.builder(1, 1).silenceNs(10_000).rtoNs(100, 1_000).lingerNs(500).build();
    Farewell farewell = new Farewell(0, Ending.ABORTED);
    List<Long> pauses = new ArrayList<>();
    long now = 0;
    while (farewell.saysEnd(now, 100, config)) {
      assertThat(farewell.atNs).isGreaterThan(now);
      pauses.add(farewell.atNs - now);
      now = farewell.atNs;
    }
    assertThat(pauses).startsWith(100L, 200L, 400L, 800L, 1_000L, 1_000L);
    assertThat(now).isBetween(10_000L, 11_001L);
    assertThat(farewell.isAnswered()).isTrue();
    assertThat(farewell.atNs).isEqualTo(now + 500);
  }

  @Test
  void whoIsSilentIsToldAFewTimes() {
    TransportConfig config =
        TransportConfig.builder(1, 1).silenceNs(10_000).rtoNs(100, 1_000).lingerNs(500).build();
    Farewell farewell = new Farewell(0, Ending.PEER_SILENT);
    long now = 0;
    int said = 0;
    while (farewell.saysEnd(now, 100, config)) {
      said++;
      now = farewell.atNs;
    }
    assertThat(said).isEqualTo(3);
    assertThat(now).isEqualTo(700);
    assertThat(farewell.isAnswered()).isTrue();
  }

  @Test
  void answersThatWaitInVainDoNotWaitForAWhile() {
    StreamIn in = new StreamIn();
    in.oweAnswer(1_000, 50);
    assertThat(in.answerAtNs).isEqualTo(1_050);
    in.onNotRidden();
    int atOnce = 0;
    for (in.answerAtNs = Timed.NEVER; owesAtOnce(in); in.onNotRidden()) {
      in.answerAtNs = Timed.NEVER;
      atOnce++;
    }
    assertThat(atOnce).isEqualTo(64);
    in.onRode();
    assertThat(in.answerAtNs).isEqualTo(Timed.NEVER);
    assertThat(owesAtOnce(in)).isFalse();
  }

  private static boolean owesAtOnce(StreamIn in) {
    in.oweAnswer(1_000, 50);
    return in.answerAtNs == 1_000;
  }

  @Test
  void anAnsweredFarewellLingersOnce() {
    TransportConfig config = TransportConfig.defaults(1, 1);
    Farewell farewell = new Farewell(0, Ending.ABORTED);
    farewell.onAnswered(100, 500);
    farewell.onAnswered(300, 500);
    assertThat(farewell.atNs).isEqualTo(600);
    assertThat(farewell.saysEnd(700, 100, config)).isFalse();
  }

  @Test
  void countersReportOnlyWhatHappened() {
    Counters counters = new Counters();
    counters.add(Count.FRAMES_IN, 3);
    counters.add(Count.DROP_DUPLICATE);
    counters.add(Count.DROP_BAD_ACK, 2);
    assertThat(counters.dropped()).isEqualTo(3);
    assertThat(counters).hasToString("FRAMES_IN=3 DROP_DUPLICATE=1 DROP_BAD_ACK=2");
  }
}

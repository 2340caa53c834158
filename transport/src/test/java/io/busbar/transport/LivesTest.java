package io.busbar.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.wire.Diagnosis;
import io.busbar.wire.Format;
import io.busbar.wire.Frame;
import io.busbar.wire.Header;
import io.busbar.wire.Options;
import java.util.List;
import org.junit.jupiter.api.Test;

/** First contact, FIRSTs that come twice, forgotten and dead peers, and versions. */
class LivesTest {
  private final Pair pair = Pair.listening();

  private List<Diagnosis> diagnoses() {
    return pair.sent.stream()
        .filter(frame -> frame.format() == Format.DIAG)
        .map(frame -> ((Frame.Diag) frame.frame()).code())
        .toList();
  }

  @Test
  void firstContactCostsOneRoundTrip() {
    long association = pair.a.open(pair.b);
    pair.a.send(association, 100, 1);
    pair.run(4 * Pair.DELAY_NS - 1);
    assertThat(pair.a.opened).isEmpty();
    pair.run(1);

    assertThat(pair.a.opened).containsExactly(association);
    assertThat(pair.sent)
        .extracting(Sent::format)
        .containsExactly(Format.FIRST, Format.DIAG, Format.FIRST, Format.CNTL);
    assertThat(pair.b.bytes.toByteArray()).isEqualTo(End.patternBytes(100, 1));
    assertThat(pair.a.count(Count.TIMEOUTS)).isZero();
  }

  @Test
  void firstContactIsPaidOncePerPeer() {
    pair.open();
    long second = pair.a.open(pair.b);
    pair.run(2 * Pair.DELAY_NS);

    assertThat(pair.a.opened).contains(second);
    assertThat(diagnoses()).isEmpty();
  }

  @Test
  void theResponderKnowsTheInitiatorByItsFirst() {
    pair.open();
    pair.a.transport.listen(Criteria.port(7, 80));
    long back = pair.b.open(pair.a);
    pair.run(2 * Pair.DELAY_NS);

    assertThat(pair.b.opened).containsExactly(back);
  }

  @Test
  void manyOpenedAtFirstContactAllArrive() {
    for (int i = 0; i < 50; i++) {
      pair.a.send(pair.a.open(pair.b), 20, i);
    }
    pair.run(50 * Pair.MS);

    assertThat(pair.b.accepted).hasSize(50);
    assertThat(pair.a.opened).hasSize(50);
    assertThat(pair.b.bytes.size()).isEqualTo(50 * 20);
  }

  @Test
  void bothOpenAtOnce() {
    pair.a.transport.listen(Criteria.port(7, 80));
    pair.a.send(pair.a.open(pair.b), 20, 1);
    pair.b.send(pair.b.open(pair.a), 20, 2);
    pair.run(20 * Pair.MS);

    assertThat(pair.a.opened).hasSize(1);
    assertThat(pair.b.opened).hasSize(1);
    assertThat(pair.a.bytes.toByteArray()).isEqualTo(End.patternBytes(20, 2));
    assertThat(pair.b.bytes.toByteArray()).isEqualTo(End.patternBytes(20, 1));
  }

  @Test
  void aFirstThatComesTwiceIsDeliveredOnce() {
    pair.copies = frame -> frame.isFirst() ? 2 : 1;
    pair.a.send(pair.a.open(pair.b), 100, 1);
    pair.run(10 * Pair.MS);

    assertThat(pair.b.accepted).hasSize(1);
    assertThat(pair.b.bytes.size()).isEqualTo(100);
    assertThat(pair.a.ended).isEmpty();
  }

  @Test
  void aFirstThatComesAgainAfterTheKeyWasUsedChangesNothing() {
    long association = pair.a.open(pair.b);
    pair.a.send(association, 100, 1);
    pair.run(5 * Pair.MS);
    byte[] first = pair.sent.stream().filter(Sent::isFirst).toList().getLast().bytes();
    pair.a.send(association, 100, 2);
    pair.run(5 * Pair.MS);
    pair.inject(pair.nowNs, 1, first);
    pair.run(5 * Pair.MS);

    assertThat(pair.b.accepted).hasSize(1);
    assertThat(pair.b.bytes.size()).isEqualTo(200);
    assertThat(pair.a.ended).isEmpty();
    assertThat(pair.a.count(Count.DROP_STRAY_DIAG)).isEqualTo(1);
  }

  @Test
  void aFirstThatComesAgainAfterTheEndDeliversNothing() {
    long association = pair.a.open(pair.b);
    pair.a.send(association, 100, 1);
    pair.run(5 * Pair.MS);
    byte[] first = pair.sent.stream().filter(Sent::isFirst).toList().getLast().bytes();
    pair.a.abort(association);
    pair.run(5_000 * Pair.MS);
    pair.inject(pair.nowNs, 1, first);
    pair.run(5 * Pair.MS);

    assertThat(pair.b.accepted).hasSize(1);
    assertThat(pair.b.transport.associations()).isZero();
  }

  @Test
  void aVersionThatIsNotSpokenIsRefused() {
    pair.rewrite =
        bytes -> {
          byte[] other = bytes.clone();
          boolean first = (other[0] & 0xF) == Format.FIRST;
          other[0] = first ? (byte) (0x20 | Format.FIRST) : other[0];
          if ((other[0] & 0xF) == Format.DIAG) {
            other[Header.BYTES + 2] = 2; // the peer speaks version 2 and no other
            other[Header.BYTES + 3] = 2;
          }
          return other;
        };
    long association = pair.a.open(pair.b);
    pair.a.send(association, 10, 1);
    pair.run(5 * Pair.MS);

    assertThat(diagnoses()).containsExactly(Diagnosis.VERSION);
    assertThat(pair.a.ended)
        .containsExactly(new End.Ended(association, Ending.VERSION_REFUSED, 10, 2));
    assertThat(pair.b.count(Count.DROP_VERSION)).isEqualTo(1);
  }

  @Test
  void anotherClusterIsNotHeard() {
    pair.rewrite =
        bytes -> {
          byte[] other = bytes.clone();
          other[32 + 8] ^= 1;
          return other;
        };
    pair.a.open(pair.b);
    pair.run(Pair.MS);

    assertThat(pair.b.count(Count.DROP_WRONG_CLUSTER)).isEqualTo(1);
    assertThat(pair.sentBy(pair.b)).isEmpty();
  }

  @Test
  void aPeerThatForgotAnAssociationSaysSo() {
    long association = pair.open();
    pair.copies = frame -> frame.has(Options.END) ? 0 : 1;
    pair.b.abort(pair.b.accepted());
    pair.run(20_000 * Pair.MS);
    assertThat(pair.b.transport.associations()).isZero();
    pair.a.send(association, 10, 1);
    pair.run(5 * Pair.MS);

    assertThat(pair.a.ended)
        .containsExactly(new End.Ended(association, Ending.UNKNOWN_AT_PEER, 10, 0));
  }

  @Test
  void theLayerAboveMayDeclareAPeerDead() {
    long association = pair.open();
    pair.a.send(association, 9_000, 1);
    pair.a.transport.peerDead(pair.nowNs, 2);

    assertThat(pair.a.ended)
        .containsExactly(new End.Ended(association, Ending.PEER_DEAD, 9_000, 0));
  }

  @Test
  void whoOpensAgainWhenAPeerIsDeadIsNotCaught() {
    pair.open();
    pair.a.duringEnd = end -> pair.a.open(pair.b);
    pair.a.transport.peerDead(pair.nowNs, 2);

    assertThat(pair.a.ended).hasSize(1);
    assertThat(pair.a.transport.associations()).isEqualTo(2);
  }

  @Test
  void aFirstThatIsTakenTooLateIsEndedByItsInitiator() {
    Pair small = Pair.listening(builder -> builder.associationsMax(2));
    small.open();
    small.a.abort(small.a.opened.getFirst());
    small.run(2_000 * Pair.MS);
    small.b.transport.open(small.nowNs, 9, 7, Service.STREAM, 1, 80, 0, 0);
    small.b.transport.open(small.nowNs, 9, 7, Service.STREAM, 1, 80, 0, 0);
    small.b.transport.peerDead(small.nowNs, 9);
    small.run(999 * Pair.MS);
    small.sent.clear();
    small.a.open(small.b);
    small.run(2 * Pair.MS);
    assertThat(small.a.ended.getLast().why()).isEqualTo(Ending.BUSY);
    byte[] late = small.sent.stream().filter(Sent::isFirst).toList().getFirst().bytes();
    small.inject(small.nowNs, 1, late);
    small.run(5 * Pair.MS);

    assertThat(small.b.accepted).hasSize(2);
    assertThat(small.b.ended.getLast().why()).isEqualTo(Ending.ABORTED_BY_PEER);
  }

  @Test
  void whoGivesUpAnOpeningMayOpenAnother() {
    pair.copies = frame -> 0;
    for (int i = 0; i < 3 * FirstSerials.WINDOW; i++) {
      pair.a.abort(pair.a.open(pair.b));
    }
    assertThat(pair.a.ended).hasSize(3 * FirstSerials.WINDOW);
  }
}

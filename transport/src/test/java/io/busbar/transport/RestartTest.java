package io.busbar.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.wire.Diagnosis;
import io.busbar.wire.Format;
import io.busbar.wire.Frame;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A peer that lives again: asked first, believed only with the nonce. */
class RestartTest {
  private static final long LIFE_NEXT = 0x3333_0000_0001L;

  private final Pair pair = Pair.listening();

  private List<Diagnosis> diagnoses() {
    return pair.sent.stream()
        .filter(frame -> frame.format() == Format.DIAG)
        .map(frame -> ((Frame.Diag) frame.frame()).code())
        .toList();
  }

  @Test
  void aRestartedResponderIsAskedAndThenEverythingOfTheFormerLifeEnds() {
    long idle = pair.open();
    long busy = pair.open();
    pair.restartB(LIFE_NEXT);
    pair.a.send(busy, 5_000, 1);
    pair.run(20 * Pair.MS);

    assertThat(diagnoses())
        .startsWith(Diagnosis.UNKNOWN_KEY)
        .containsOnlyOnce(Diagnosis.CHALLENGE)
        .containsOnlyOnce(Diagnosis.CONFIRM);
    assertThat(pair.a.ended)
        .containsExactlyInAnyOrder(
            new End.Ended(idle, Ending.PEER_RESTARTED, 0, 0),
            new End.Ended(busy, Ending.PEER_RESTARTED, 5_000, 0));
    assertThat(pair.a.events).contains("restarted " + LIFE_NEXT);
    assertThat(pair.a.transport.onTheirWayBytes(2)).isZero();

    pair.a.send(pair.a.open(pair.b), 100, 3);
    pair.run(5 * Pair.MS);
    assertThat(pair.b.bytes.toByteArray()).isEqualTo(End.patternBytes(100, 3));
  }

  @Test
  void aRestartedInitiatorIsAskedBeforeAnythingIsDropped() {
    pair.a.transport.listen(Criteria.port(7, 80));
    long association = pair.open();
    pair.restartB(LIFE_NEXT);
    long fresh = pair.b.open(pair.a);
    pair.b.send(fresh, 100, 5);
    pair.run(50 * Pair.MS);

    assertThat(diagnoses())
        .containsExactly(Diagnosis.WRONG_INCARNATION, Diagnosis.CHALLENGE, Diagnosis.CONFIRM);
    assertThat(pair.a.ended)
        .containsExactly(new End.Ended(association, Ending.PEER_RESTARTED, 0, 0));
    assertThat(pair.a.bytes.toByteArray()).isEqualTo(End.patternBytes(100, 5));
    assertThat(pair.b.opened).containsExactly(fresh);
  }

  @Test
  void aFrameOfAFormerLifeDropsNothing() {
    pair.open();
    long old = pair.a.open(pair.b);
    pair.a.send(old, 10, 1);
    pair.run(5 * Pair.MS);
    byte[] first = pair.sent.stream().filter(Sent::isFirst).toList().getLast().bytes().clone();
    first[32 + 16] ^= 1;
    pair.inject(pair.nowNs, 1, first);
    pair.run(5 * Pair.MS);

    assertThat(diagnoses()).containsExactly(Diagnosis.CHALLENGE, Diagnosis.CONFIRM);
    assertThat(pair.b.ended).isEmpty();
    assertThat(pair.b.accepted).hasSize(2);
    assertThat(pair.b.count(Count.DROP_WRONG_INCARNATION)).isEqualTo(2);
  }

  @Test
  void aConfirmationWithAnotherNonceIsNotBelieved() {
    long association = pair.open();
    pair.restartB(LIFE_NEXT);
    pair.copies = frame -> frame.format() == Format.DIAG && isConfirm(frame) ? 0 : 1;
    pair.a.send(association, 100, 1);
    pair.run(100 * Pair.US);
    byte[] confirm = pair.sent.stream().filter(RestartTest::isConfirm).findFirst().get().bytes();
    byte[] forged = confirm.clone();
    forged[32 + 32] ^= 2;
    pair.inject(pair.nowNs, 2, forged);
    pair.run(Pair.US);
    assertThat(pair.a.ended).isEmpty();
    assertThat(pair.a.count(Count.DROP_STRAY_DIAG)).isEqualTo(1);
    pair.inject(pair.nowNs, 2, confirm);
    pair.run(Pair.US);
    assertThat(pair.a.ended).hasSize(1);
  }

  private static boolean isConfirm(Sent frame) {
    return frame.frame() instanceof Frame.Diag diag && diag.code() == Diagnosis.CONFIRM;
  }
}

package io.busbar.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.wire.Diagnosis;
import io.busbar.wire.Format;
import org.junit.jupiter.api.Test;

/** A refusal whose DIAG was lost is given again, in the same words. */
class RefusalTest {
  private final Pair pair = Pair.listening();
  private int diagsToLose;

  private void loseOneDiag() {
    long met = pair.open();
    pair.a.transport.abort(pair.nowNs, met);
    pair.run(5 * Pair.MS);
    pair.a.ended.clear();
    diagsToLose = 1;
    pair.copies = frame -> frame.format() == Format.DIAG && diagsToLose-- > 0 ? 0 : 1;
  }

  @Test
  void theUsersNumberComesBack() {
    loseOneDiag();
    pair.b.verdict = 42;
    long association = pair.a.open(pair.b);
    pair.run(20 * Pair.MS);
    assertThat(pair.a.ended).containsExactly(new End.Ended(association, Ending.REFUSED, 0, 42));
  }

  @Test
  void nobodyListensIsSaidAgain() {
    loseOneDiag();
    long association = pair.a.transport.open(pair.nowNs, 2, 7, Service.STREAM, 1, 81, 0, 0);
    pair.run(20 * Pair.MS);
    assertThat(pair.a.ended).containsExactly(new End.Ended(association, Ending.NO_LISTENER, 0, 0));
  }

  @Test
  void theLastSixteenAreRemembered() {
    Refusals refusals = new Refusals();
    for (int serial = 1; serial <= 17; serial++) {
      refusals.add(serial, Diagnosis.REFUSED, 100 + serial);
    }
    assertThat(refusals.code(1)).isEqualTo(Diagnosis.UNKNOWN_KEY);
    assertThat(refusals.detail(1)).isZero();
    assertThat(refusals.code(2)).isEqualTo(Diagnosis.REFUSED);
    assertThat(refusals.detail(2)).isEqualTo(102);
    assertThat(refusals.detail(17)).isEqualTo(117);
  }
}

package io.busbar.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many associations of one path, which begin, close and abort at random times. */
class ManyAssociationsTest {
  private final Pair pair = Pair.listening();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void whateverHappensNothingIsLeftBehind(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    pair.copies = frame -> random.nextInt(20) == 0 ? 0 : random.nextInt(20) == 0 ? 2 : 1;
    pair.delayNs = frame -> Pair.DELAY_NS + random.nextInt(30) * Pair.US;
    List<Long> mine = new ArrayList<>();
    pair.b.duringAccept = accepted -> pair.b.send(accepted, 1 + random.nextInt(5_000), 1);
    pair.a.duringEnd = end -> mine.remove(end.association());
    List<Long> theirs = pair.b.accepted;
    pair.b.duringEnd = end -> theirs.remove(end.association());
    for (int step = 0; step < 400; step++) {
      act(random, mine, theirs);
      pair.run(random.nextInt(200) * Pair.US);
    }
    finish(pair.a, mine);
    pair.run(1_000 * Pair.MS);
    finish(pair.b, theirs);
    pair.run(60_000 * Pair.MS);

    assertThat(mine).isEmpty();
    assertThat(pair.a.ended).extracting(End.Ended::association).doesNotHaveDuplicates();
    assertThat(pair.a.count(Count.DROP_OVER_CREDIT) + pair.b.count(Count.DROP_OVER_CREDIT))
        .isZero();
    pair.assertNothingLeft();
  }

  private static void finish(End end, List<Long> associations) {
    for (long association : List.copyOf(associations)) {
      end.closeWrite(association);
    }
  }

  private void act(SplittableRandom random, List<Long> mine, List<Long> theirs) {
    int kind = random.nextInt(10);
    if (kind < 3 || mine.isEmpty()) {
      long opened = pair.a.open(pair.b);
      mine.add(opened);
      pair.a.send(opened, 1 + random.nextInt(20_000), 1);
      return;
    }
    long one = mine.get(random.nextInt(mine.size()));
    try {
      switch (kind) {
        case 3, 4, 5 -> pair.a.send(one, 1 + random.nextInt(50_000), 2);
        case 6 -> pair.a.closeWrite(one);
        case 7 -> pair.a.abort(one);
        case 8 -> pair.a.transport.closeRead(pair.nowNs, one);
        default -> {
          if (!theirs.isEmpty()) {
            pair.b.closeWrite(theirs.get(random.nextInt(theirs.size())));
          }
        }
      }
    } catch (TransportException e) {
      assertThat(e.mistake()).isEqualTo(TransportException.Mistake.WRITE_CLOSED);
    }
  }

  @Test
  void twoThatFloodEachOtherDoNotStandStill() {
    Pair tight =
        Pair.listening(builder -> builder.creditBudgetBytes(64 << 10).windowBytesMax(32 << 10));
    for (int i = 0; i < 20; i++) {
      tight.a.send(tight.a.open(tight.b), 100_000, i);
    }
    tight.b.duringAccept = accepted -> tight.b.send(accepted, 100_000, 7);
    tight.run(60_000 * Pair.MS);

    assertThat(tight.a.bytes.size()).isEqualTo(2_000_000);
    assertThat(tight.b.bytes.size()).isEqualTo(2_000_000);
  }

  @Test
  void aThousandAtRestHoldNothing() {
    for (int i = 0; i < 1_000; i++) {
      pair.a.send(pair.a.open(pair.b), 10, i);
    }
    pair.run(1_000 * Pair.MS);

    assertThat(pair.b.accepted).hasSize(1_000);
    assertThat(pair.a.transport.busyParts() + pair.b.transport.busyParts()).isZero();
    assertThat(pair.b.transport.creditTakenBytes()).isZero();
    assertThat(pair.a.count(Count.TIMEOUTS)).isZero();
  }
}

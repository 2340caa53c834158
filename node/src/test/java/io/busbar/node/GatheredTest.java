package io.busbar.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Records that are kept where they were gathered are not written over; and they are not many. */
class GatheredTest {
  private static final int LONG = 20_000;
  private static final int MANY = 1_000;

  /** More than are kept of one stream. */
  private static final int KEPT_MAX = 32;

  private record Kept(MemorySegment memory, long claim, byte value) {}

  private final Gathered gathered = new Gathered();

  private MemorySegment gather(int bytes, byte value) {
    byte[] piece = new byte[bytes / 2];
    Arrays.fill(piece, value);
    gathered.begin();
    gathered.add(MemorySegment.ofArray(piece), 0, piece.length);
    gathered.add(MemorySegment.ofArray(piece), 0, piece.length);
    return gathered.show();
  }

  private static void assertIntact(Kept kept) {
    for (long at = 0; at < LONG; at++) {
      assertThat(kept.memory.get(ValueLayout.JAVA_BYTE, at)).isEqualTo(kept.value);
    }
  }

  @Test
  void whatIsKeptStaysUntilItIsGivenBack() {
    SplittableRandom random = new SplittableRandom(4);
    ArrayDeque<Kept> all = new ArrayDeque<>();
    for (int i = 0; i < MANY; i++) {
      MemorySegment memory = gather(LONG, (byte) i);
      long claim = gathered.claim();
      gathered.hide();
      assertThat(claim != Lane.NO_CLAIM)
          .as("kept beside %d", all.size())
          .isEqualTo(all.size() < KEPT_MAX);
      if (claim != Lane.NO_CLAIM) {
        assertThat(Gathered.isName(claim)).isTrue();
        all.add(new Kept(memory, claim, (byte) i));
      }
      while (all.size() > KEPT_MAX / 2 && random.nextInt(3) == 0) {
        Kept one = random.nextBoolean() ? all.removeFirst() : all.removeLast();
        assertIntact(one);
        gathered.release(one.claim);
      }
    }
    all.forEach(GatheredTest::assertIntact);
  }

  @Test
  void shortOnesAndWhatIsNotShownAreNotKept() {
    MemorySegment _ = gather(100, (byte) 1);
    assertThat(gathered.claim()).as("a short one").isEqualTo(Lane.NO_CLAIM);
    MemorySegment _ = gather(LONG, (byte) 2);
    gathered.hide();
    assertThat(gathered.claim()).as("one that was given on").isEqualTo(Lane.NO_CLAIM);
  }
}

package io.busbar.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Serials of FIRST: heard ones against a set, own ones against a queue. */
class SerialsTest {
  private static final int WINDOW = FirstSerials.WINDOW;

  @Test
  void nothingIsUsedAtFirst() {
    FirstSerials serials = new FirstSerials();
    assertThat(serials.isUsed(1)).isFalse();
    assertThat(serials.isTooOld(1)).isFalse();
  }

  @Test
  void aSerialIsUsedOnceItIs() {
    FirstSerials serials = new FirstSerials();
    serials.use(3);
    assertThat(serials.isUsed(3)).isTrue();
    assertThat(serials.isUsed(1)).isFalse();
    assertThat(serials.isUsed(4)).isFalse();
  }

  @Test
  void belowTheWindowEverythingIsTooOldAndCountsAsUsed() {
    FirstSerials serials = new FirstSerials();
    serials.use(WINDOW + 5);
    assertThat(serials.isTooOld(5)).isTrue();
    assertThat(serials.isUsed(5)).isTrue();
    assertThat(serials.isTooOld(6)).isFalse();
    assertThat(serials.isUsed(6)).isFalse();
  }

  @Test
  void aLeapForgetsTheBitsItPasses() {
    FirstSerials serials = new FirstSerials();
    for (long serial = 1; serial <= WINDOW; serial++) {
      serials.use(serial);
    }
    serials.use(100L * WINDOW);
    for (long serial = 99L * WINDOW + 1; serial < 100L * WINDOW; serial++) {
      assertThat(serials.isUsed(serial)).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void likeASet(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    FirstSerials serials = new FirstSerials();
    Set<Long> used = new HashSet<>();
    long highest = 0;
    for (int step = 0; step < 50_000; step++) {
      long ahead = random.nextInt(100) == 0 ? 2_000 : 30;
      long serial = Math.max(1, highest - random.nextInt(1_500) + random.nextLong(ahead + 1));
      boolean tooOld = serial <= highest - WINDOW;
      assertThat(serials.isTooOld(serial)).isEqualTo(tooOld);
      assertThat(serials.isUsed(serial)).isEqualTo(tooOld || used.contains(serial));
      if (!serials.isUsed(serial)) {
        serials.use(serial);
        used.add(serial);
        highest = Math.max(highest, serial);
      }
    }
  }

  @Test
  void ownSerialsCountFromOne() {
    OwnSerials own = new OwnSerials();
    assertThat(own.next()).isEqualTo(1);
    assertThat(own.next()).isEqualTo(2);
  }

  @Test
  void oneUnansweredSerialHoldsBackTheWindow() {
    OwnSerials own = new OwnSerials();
    long first = own.next();
    for (int i = 2; i < WINDOW - 1; i++) {
      own.onAnswered(own.next());
    }
    assertThat(own.hasNext()).isTrue();
    own.next();
    assertThat(own.hasNext()).isFalse();
    own.onAnswered(first);
    assertThat(own.hasNext()).isTrue();
  }

  @Test
  void neverMoreUnansweredThanTheResponderRemembers() {
    SplittableRandom random = new SplittableRandom(5);
    OwnSerials own = new OwnSerials();
    FirstSerials responder = new FirstSerials();
    ArrayDeque<Long> waiting = new ArrayDeque<>();
    for (int step = 0; step < 100_000; step++) {
      if (own.hasNext() && random.nextInt(2) == 0) {
        waiting.add(own.next());
      } else if (!waiting.isEmpty()) {
        long serial = random.nextBoolean() ? waiting.pollFirst() : waiting.pollLast();
        assertThat(responder.isTooOld(serial)).isFalse();
        assertThat(responder.isUsed(serial)).isFalse();
        responder.use(serial);
        own.onAnswered(serial);
      }
    }
    assertThat(own.next()).isGreaterThan(10_000);
  }
}

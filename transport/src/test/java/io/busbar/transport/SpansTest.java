package io.busbar.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranges behind gaps, against a bit for every byte. */
class SpansTest {
  private final Spans spans = new Spans();

  private String text() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < spans.count(); i++) {
      text.append('[').append(spans.from(i)).append(' ').append(spans.to(i)).append(')');
    }
    return text.toString();
  }

  @Test
  void neighboursJoin() {
    spans.add(10, 20, 1);
    spans.add(30, 40, 2);
    assertThat(text()).isEqualTo("[10 20)[30 40)");
    spans.add(40, 50, 3);
    spans.add(5, 10, 4);
    assertThat(text()).isEqualTo("[5 20)[30 50)");
    spans.add(20, 30, 5);
    assertThat(text()).isEqualTo("[5 50)");
  }

  @Test
  void theTimeIsThatOfTheGapInFront() {
    spans.add(30, 40, 2);
    spans.add(10, 20, 3);
    spans.add(40, 50, 9);
    assertThat(spans.sinceNs(0)).isEqualTo(3);
    assertThat(spans.sinceNs(1)).isEqualTo(2);
    spans.add(25, 30, 11);
    assertThat(spans.sinceNs(1)).isEqualTo(2);
  }

  @Test
  void findGivesTheSpanThatEndsThereOrBehind() {
    spans.add(10, 20, 1);
    spans.add(30, 40, 1);
    assertThat(spans.find(5)).isZero();
    assertThat(spans.find(20)).isZero();
    assertThat(spans.find(21)).isEqualTo(1);
    assertThat(spans.find(41)).isEqualTo(2);
  }

  @Test
  void whatIsInOrderIsDropped() {
    spans.add(10, 20, 1);
    spans.add(30, 40, 1);
    spans.dropBefore(19);
    assertThat(text()).isEqualTo("[10 20)[30 40)");
    spans.dropBefore(20);
    assertThat(text()).isEqualTo("[30 40)");
    spans.dropBefore(100);
    assertThat(spans.count()).isZero();
  }

  @Test
  void fullAtTheBound() {
    for (int i = 0; i < Spans.MAX; i++) {
      assertThat(spans.isFull()).isFalse();
      spans.add(10L * i + 1, 10L * i + 2, i);
    }
    assertThat(spans.isFull()).isTrue();
    assertThat(spans.count()).isEqualTo(Spans.MAX);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void likeABitForEveryByte(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    BitSet bits = new BitSet();
    int low = 0;
    for (int step = 0; step < 5_000; step++) {
      int from = bits.nextClearBit(low + 1 + random.nextInt(600));
      int next = bits.nextSetBit(from);
      int to = from + 1 + random.nextInt(20);
      to = next < 0 ? to : Math.min(to, next);
      spans.add(from, to, step);
      bits.set(from, to);
      if (random.nextInt(20) == 0) {
        low = bits.nextClearBit(low + random.nextInt(100));
        spans.dropBefore(low);
        bits.clear(0, low);
      }
      StringBuilder expected = new StringBuilder();
      for (int at = bits.nextSetBit(0); at >= 0; at = bits.nextSetBit(bits.nextClearBit(at))) {
        expected.append('[').append(at).append(' ').append(bits.nextClearBit(at)).append(')');
      }
      assertThat(text()).isEqualTo(expected.toString());
    }
  }
}

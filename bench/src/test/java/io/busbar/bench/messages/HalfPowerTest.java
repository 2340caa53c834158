package io.busbar.bench.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The size at which half of a peak is reached. */
class HalfPowerTest {
  private static SortedMap<Integer, Double> bandwidths(double... each) {
    SortedMap<Integer, Double> bySize = new TreeMap<>();
    for (int i = 0; i < each.length; i++) {
      bySize.put(16 << i, each[i]);
    }
    return bySize;
  }

  @Test
  void isBetweenTwoSizesOnALogarithmicScale() {
    assertThat(HalfPower.bytes(bandwidths(100, 300, 900), 1000))
        .isCloseTo(32 * Math.pow(2, 200.0 / 600), within(1e-9));
    assertThat(HalfPower.bytes(bandwidths(100, 500, 900), 1000)).isEqualTo(32);
  }

  @Test
  void isTheSmallestSizeWhenThatSuffices() {
    assertThat(HalfPower.bytes(bandwidths(600, 700), 1000)).isEqualTo(16);
  }

  @Test
  void isNothingWhenNoSizeSuffices() {
    assertThat(HalfPower.bytes(bandwidths(100, 499), 1000)).isNull();
    assertThat(HalfPower.bytes(new TreeMap<>(), 1000)).isNull();
  }

  @Test
  void peakIsTheHighest() {
    assertThat(HalfPower.peak(bandwidths(100, 900, 300))).isEqualTo(900);
    assertThat(HalfPower.peak(new TreeMap<>())).isZero();
  }
}

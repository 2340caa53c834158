package io.busbar.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where things are put, before a browser sees them. */
class LayoutTest {
  @ParameterizedTest
  @CsvSource({"0.001, 1e9", "3, 4", "1, 1000", "5, 5", "0, 0", "0, 1e-7", "9, 91", "0.9, 10.1"})
  void everyValueHasItsPlaceAndTicksKeepTheirDistance(double low, double high) {
    Axis axis = Axis.values(List.of(low, high), 200, 20);
    assertThat(axis.at(low)).isBetween(20.0, 200.0).isGreaterThanOrEqualTo(axis.at(high));
    assertThat(axis.at(high)).isBetween(20.0, 200.0);
    assertThat(axis.ticks()).hasSizeBetween(2, 7);
    for (int i = 0; i < axis.ticks().size(); i++) {
      assertThat(axis.ticks().get(i).at()).isBetween(19.9, 200.1);
      if (i > 0) {
        assertThat(axis.ticks().get(i - 1).at() - axis.ticks().get(i).at())
            .isGreaterThan(Svg.FONT + 2);
      }
    }
  }

  @Test
  void aBarBeginsAtZero() {
    Axis axis = Axis.linear(1000, 100, 300);
    assertThat(axis.at(0)).isEqualTo(100);
    assertThat(axis.at(500) - 100).isCloseTo((axis.at(1000) - 100) / 2, within(1e-9));
    assertThat(axis.at(-5)).isEqualTo(100);
  }

  @Test
  void labelsOfStepsDoNotTouch() {
    List<Double> steps = IntStream.range(64, 164).mapToObj(i -> (double) i).toList();
    Axis axis = Axis.steps(steps, Numbers::plain, 40, 300);
    assertThat(axis.ticks()).hasSizeGreaterThan(5);
    assertThat(axis.ticks().getFirst().label()).isEqualTo("64");
    for (int i = 1; i < axis.ticks().size(); i++) {
      Axis.Tick left = axis.ticks().get(i - 1);
      Axis.Tick right = axis.ticks().get(i);
      double widths = TextFit.width(left.label() + right.label(), Svg.FONT) / 2;
      assertThat(right.at() - left.at()).isGreaterThan(widths);
    }
  }

  @Test
  void stepsWithZeroFollowEachOtherEvenly() {
    Axis axis = Axis.steps(List.of(0.0, 0.01, 0.05), Numbers::plain, 0, 100);
    assertThat(axis.at(0)).isZero();
    assertThat(axis.at(0.01)).isEqualTo(50);
    assertThat(axis.at(0.05)).isEqualTo(100);
  }

  @Test
  void labelsOfPapersAreMovedApart() {
    double[] places = LinePlot.apart(List.of(20.0, 20.0, 100.0, 101.0, 211.0, 212.0));
    for (int i = 1; i < places.length; i++) {
      assertThat(places[i] - places[i - 1]).isGreaterThan(12.9);
    }
    assertThat(DoubleStream.of(places).min().orElseThrow()).isGreaterThan(15);
    assertThat(DoubleStream.of(places).max().orElseThrow()).isLessThan(LinePlot.HEIGHT - 30);
  }

  @Test
  void textIsCutToItsRoom() {
    assertThat(TextFit.cut("short", 10, 100)).isEqualTo("short");
    String cut = TextFit.cut("MMMMMMMMMMMMMMMM", 10, 60);
    assertThat(cut).endsWith("…").hasSizeLessThan(7);
    assertThat(TextFit.width(cut, 10)).isLessThanOrEqualTo(60);
    assertThat(TextFit.cut("\ud83d\ude00\ud83d\ude00\ud83d\ude00", 10, 40))
        .isEqualTo("\ud83d\ude00…");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, 0",
    "0.98713, 0.9871, 0.987",
    "12.345678, 12.35, 12.3",
    "1234.6, '1,235', 1.23k",
    "7900000, '7,900,000', 7.9M",
    "-5, -5, -5",
    "0.00000000123, 1.23e-09, 1e-09",
    "4e20, 4.00e+20, 400E",
  })
  void numbersAreReadable(double value, String shown, String brief) {
    assertThat(Numbers.shown(value)).isEqualTo(shown);
    assertThat(Numbers.brief(value)).isEqualTo(brief);
  }

  @ParameterizedTest
  @CsvSource({"64, 64 B", "1024, 1 KiB", "1500, '1,500 B'", "131072, 128 KiB", "1048576, 1 MiB"})
  void sizesAreReadable(int bytes, String shown) {
    assertThat(Numbers.bytes(bytes)).isEqualTo(shown);
  }
}

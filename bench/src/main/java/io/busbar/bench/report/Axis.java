package io.busbar.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.DoubleUnaryOperator;

/**
 * Places values along a direction of a plot.
 *
 * @param place where a value lies
 * @param ticks values to write beside it, from the lowest
 */
record Axis(DoubleUnaryOperator place, List<Tick> ticks) {
  /** Beyond this factor between the ends, small values would lie on the edge. */
  private static final double LINEAR_FACTOR_MAX = 10;

  private static final int TICKS_MAX = 6;

  /**
   * A value with its place.
   *
   * @param at its place
   * @param label what is written there
   */
  record Tick(double at, String label) {}

  double at(double value) {
    return place.applyAsDouble(value);
  }

  /** From zero, or in powers of ten where the values are far apart. */
  static Axis values(List<Double> values, double from, double to) {
    double low = values.stream().mapToDouble(v -> v).min().orElse(0);
    double high = values.stream().mapToDouble(v -> v).max().orElse(0);
    return low > 0 && high / low > LINEAR_FACTOR_MAX
        ? powers(low / 1.2, high * 1.2, from, to)
        : linear(high, from, to);
  }

  /** From zero; what is below lies at zero. */
  static Axis linear(double high, double from, double to) {
    double most = high > 0 ? high : 1;
    double step = Math.pow(10, Math.floor(Math.log10(most)));
    while (most / step < 2.5) {
      step /= 2;
    }
    while (most / step > TICKS_MAX - 1) {
      step *= 2;
    }
    double top = step * Math.ceil(most / step - 1e-9);
    DoubleUnaryOperator place = value -> from + (to - from) * Math.max(value, 0) / top;
    List<Tick> ticks = new ArrayList<>();
    for (int i = 0; i * step <= top * (1 + 1e-9); i++) {
      ticks.add(new Tick(place.applyAsDouble(i * step), Numbers.brief(i * step)));
    }
    return new Axis(place, ticks);
  }

  private static DoubleUnaryOperator logarithmic(double low, double high, double from, double to) {
    double span = Math.log(high / low);
    return value -> from + (to - from) * Math.log(Math.max(value, low) / low) / span;
  }

  private static Axis powers(double low, double high, double from, double to) {
    DoubleUnaryOperator place = logarithmic(low, high, from, to);
    double decades = Math.log10(high / low);
    int every = (int) Math.ceil(decades / TICKS_MAX);
    int[] within = decades < 2.5 ? new int[] {1, 3} : new int[] {1};
    List<Tick> ticks = new ArrayList<>();
    for (int power = (int) Math.floor(Math.log10(low)); power <= Math.log10(high); power += every) {
      for (int digit : within) {
        double value = digit * Math.pow(10, power);
        if (value >= low && value <= high) {
          ticks.add(new Tick(place.applyAsDouble(value), Numbers.brief(value)));
        }
      }
    }
    return new Axis(place, ticks);
  }

  /**
   * One tick for each value, where there is room for its label: in powers when all are positive,
   * else one after the other.
   *
   * @param values in order, each once, at least two
   */
  static Axis steps(List<Double> values, DoubleFunction<String> label, double from, double to) {
    double low = values.getFirst();
    DoubleUnaryOperator place =
        low > 0
            ? logarithmic(low, values.getLast(), from, to)
            : value -> from + (to - from) * values.indexOf(value) / (values.size() - 1);
    List<Tick> ticks = new ArrayList<>();
    double free = Double.NEGATIVE_INFINITY;
    for (double value : values) {
      String text = label.apply(value);
      double half = TextFit.width(text, Svg.FONT) / 2;
      double at = place.applyAsDouble(value);
      if (at - half >= free) {
        ticks.add(new Tick(at, text));
        free = at + half + 4;
      }
    }
    return new Axis(place, ticks);
  }
}

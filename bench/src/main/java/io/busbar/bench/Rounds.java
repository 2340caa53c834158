package io.busbar.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleSupplier;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * Paired, interleaved rounds: each round measures every system once, in random order, so that what
 * the machine does meanwhile hits all of them alike. Ratios are taken within a round.
 */
public final class Rounds {
  private final Map<String, DoubleSupplier> systems = new LinkedHashMap<>();
  private final Map<String, List<Double>> values = new LinkedHashMap<>();

  /** Rounds without a system yet. */
  public Rounds() {}

  /** Adds a system; the supplier measures it for a moment and returns its value. */
  public Rounds system(String name, DoubleSupplier measure) {
    systems.put(name, measure);
    values.put(name, new ArrayList<>());
    return this;
  }

  /** Measures {@code warmUps} rounds that do not count, then {@code rounds} that do. */
  public Rounds run(int warmUps, int rounds) {
    Random random = new Random(42);
    List<String> order = new ArrayList<>(systems.keySet());
    for (int round = -warmUps; round < rounds; round++) {
      Collections.shuffle(order, random);
      for (String name : order) {
        DoubleSupplier measure = systems.get(name);
        List<Double> measured = values.get(name);
        if (measure == null || measured == null) {
          throw new IllegalStateException("no system " + name);
        }
        double value = measure.getAsDouble();
        if (round >= 0) {
          measured.add(value);
        }
      }
    }
    return this;
  }

  /** Adds a round whose values were taken at one time. */
  public Rounds add(Map<String, Double> round) {
    round.forEach((name, value) -> values.computeIfAbsent(name, _ -> new ArrayList<>()).add(value));
    return this;
  }

  /** The median of a system's values; null when a value of it is missing. */
  public @Nullable Double median(String name) {
    List<Double> measured = values.getOrDefault(name, List.of());
    return isWhole(measured) ? quantile(measured, 0.5) : null;
  }

  private static boolean isWhole(List<Double> measured) {
    return !measured.isEmpty() && measured.stream().noneMatch(value -> value.isNaN());
  }

  /**
   * The figure: medians, and the ratios of the first system to each other one. A system that could
   * not be measured in every round (a value is no number) has neither.
   */
  public Figure figure(Figure plain) {
    Map<String, @Nullable Double> medians = new LinkedHashMap<>();
    Map<String, double[]> ratios = new LinkedHashMap<>();
    List<Double> first = List.of();
    for (Map.Entry<String, List<Double>> entry : values.entrySet()) {
      medians.put(entry.getKey(), median(entry.getKey()));
      if (first.isEmpty()) {
        first = entry.getValue();
      } else if (isWhole(entry.getValue())) {
        double[] ratio = ratio(first, entry.getValue());
        if (DoubleStream.of(ratio).allMatch(Double::isFinite)) { // nothing is no times nothing
          ratios.put(entry.getKey(), ratio);
        }
      }
    }
    double spread = quantile(first, 1) - quantile(first, 0);
    return new Figure(
        plain.bench(),
        plain.scene(),
        plain.bytes(),
        plain.metric(),
        plain.unit(),
        plain.better(),
        medians,
        ratios,
        plain.n(),
        spread == 0 ? 0 : spread / quantile(first, 0.5),
        plain.aims(),
        plain.extra(),
        plain.labels());
  }

  /** The same rounds in another unit. */
  public Rounds scaled(double factor) {
    Rounds scaled = new Rounds();
    values.forEach(
        (name, measured) ->
            scaled.values.put(name, measured.stream().map(value -> value * factor).toList()));
    return scaled;
  }

  /**
   * What each system has more than the one before it, within a round; the first one has no such.
   */
  public Rounds steps() {
    Rounds steps = new Rounds();
    List<Double> below = List.of();
    for (Map.Entry<String, List<Double>> entry : values.entrySet()) {
      if (!below.isEmpty()) {
        steps.values.put(entry.getKey(), paired(entry.getValue(), below, (a, b) -> a - b));
      }
      below = entry.getValue();
    }
    return steps;
  }

  /**
   * What share of a system each other one delivers, within a round: 1 is as good.
   *
   * @param base the system
   * @param lower whether less is better, as with times
   */
  public Rounds shares(String base, boolean lower) {
    List<Double> all = values.getOrDefault(base, List.of());
    Rounds shares = new Rounds();
    values.forEach(
        (name, measured) -> {
          if (!name.equals(base)) {
            shares.values.put(name, paired(measured, all, (a, b) -> lower ? b / a : a / b));
          }
        });
    return shares;
  }

  private static List<Double> paired(
      List<Double> one, List<Double> other, DoubleBinaryOperator operator) {
    List<Double> results = new ArrayList<>();
    for (int i = 0; i < one.size(); i++) {
      results.add(operator.applyAsDouble(one.get(i), other.get(i)));
    }
    return results;
  }

  /** The same rounds with each value turned over: a second a message for messages a second. */
  public Rounds inverse() {
    Rounds inverse = new Rounds();
    values.forEach(
        (name, measured) ->
            inverse.values.put(name, measured.stream().map(value -> 1 / value).toList()));
    return inverse;
  }

  /** How many rounds count. */
  public int size() {
    return values.values().stream().mapToInt(List::size).max().orElse(0);
  }

  /** The same rounds of these systems alone, in this order. */
  public Rounds only(String... names) {
    Rounds some = new Rounds();
    for (String name : names) {
      some.values.put(name, values.getOrDefault(name, List.of()));
    }
    return some;
  }

  /** The same rounds in the opposite order of systems, the first one of which gets a name. */
  public Rounds reversed(String first) {
    Rounds reversed = new Rounds();
    List<String> names = new ArrayList<>(values.keySet()).reversed();
    for (String name : names) {
      reversed.values.put(
          reversed.values.isEmpty() ? first : name, values.getOrDefault(name, List.of()));
    }
    return reversed;
  }

  /** The figure of values that have no ratio: medians alone, and how many rounds are behind it. */
  public Figure medians(Figure plain) {
    values.keySet().forEach(name -> plain.with(name, median(name)));
    return plain.also("rounds", size());
  }

  /** The same rounds with other names of systems, where there are any. */
  public Rounds renamed(Map<String, String> names) {
    Rounds renamed = new Rounds();
    values.forEach(
        (name, measured) -> renamed.values.put(names.getOrDefault(name, name), measured));
    return renamed;
  }

  /** The value in the middle. */
  public static double median(List<Double> values) {
    return quantile(values, 0.5);
  }

  private static double[] ratio(List<Double> over, List<Double> under) {
    List<Double> ratios = paired(over, under, (a, b) -> a / b);
    return new double[] {quantile(ratios, 0.5), quantile(ratios, 0.1), quantile(ratios, 0.9)};
  }

  private static double quantile(List<Double> values, double share) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
    Arrays.sort(sorted);
    return sorted[(int) Math.round(share * (sorted.length - 1))];
  }
}

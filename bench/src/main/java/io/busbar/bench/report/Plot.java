package io.busbar.bench.report;

import io.busbar.bench.Figure;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Figures that belong into one drawing: the same case and metric, for one size or for many.
 *
 * @param figures the figures, in the order of what varies
 * @param dimension what varies among them; {@link #NOTHING} when nothing does
 * @param papers the papers' numbers that stand beside them
 */
record Plot(List<Figure> figures, String dimension, List<PaperNumber> papers) {
  static final String BYTES = "bytes";
  static final String NOTHING = "";

  /** Keys that say under which circumstances a figure was taken. */
  private static final List<String> DIMENSIONS = List.of(BYTES, "loss", "load", "peers");

  /** The drawings of an experiment, in the order of their first figures. */
  static List<Plot> of(List<Figure> figures, List<PaperNumber> papers) {
    List<Plot> plots = new ArrayList<>();
    for (List<Figure> group : grouped(figures, Plot::kind)) {
      String dimension =
          DIMENSIONS.stream().filter(key -> varies(group, key)).findFirst().orElse(NOTHING);
      for (List<Figure> same : grouped(group, figure -> rest(figure, dimension))) {
        Figure first = same.getFirst();
        plots.add(
            new Plot(
                same.stream()
                    .sorted(Comparator.comparingDouble(figure -> value(figure, dimension)))
                    .toList(),
                varies(same, dimension) ? dimension : NOTHING,
                papers.stream().filter(paper -> paper.standsBeside(first)).toList()));
      }
    }
    return plots;
  }

  private static <K> List<List<Figure>> grouped(List<Figure> figures, Function<Figure, K> key) {
    Map<K, List<Figure>> groups = new LinkedHashMap<>();
    for (Figure figure : figures) {
      groups.computeIfAbsent(key.apply(figure), _ -> new ArrayList<>()).add(figure);
    }
    return List.copyOf(groups.values());
  }

  private static List<String> kind(Figure figure) {
    return List.of(figure.scene(), figure.metric(), figure.unit(), figure.better());
  }

  /** All circumstances but one; words tell lines apart, and bars they name. */
  private static List<Object> rest(Figure figure, String dimension) {
    List<Object> rest = new ArrayList<>();
    for (String key : DIMENSIONS) {
      if (!key.equals(dimension)) {
        rest.add(value(figure, key));
      }
    }
    rest.add(dimension.isEmpty() ? Map.of() : figure.labels());
    return rest;
  }

  private static boolean varies(List<Figure> figures, String key) {
    return figures.stream().map(figure -> value(figure, key)).distinct().count() > 1;
  }

  private static double value(Figure figure, String key) {
    return key.equals(BYTES) ? figure.bytes() : figure.extra().getOrDefault(key, -1.0);
  }

  /** Where a figure lies in what varies. */
  double at(Figure figure) {
    return value(figure, dimension);
  }

  Figure first() {
    return figures.getFirst();
  }

  boolean hasLines() {
    return !dimension.isEmpty();
  }

  /** Every system of its figures. */
  Set<String> systems() {
    Set<String> systems = new LinkedHashSet<>();
    figures.forEach(figure -> systems.addAll(figure.systems().keySet()));
    return systems;
  }

  /** Every value that has to have its place. */
  List<Double> values() {
    List<Double> values = new ArrayList<>();
    for (Figure figure : figures) {
      for (Double value : figure.systems().values()) {
        if (value != null) {
          values.add(value);
        }
      }
    }
    papers.forEach(paper -> values.add(paper.value()));
    return values;
  }

  /** What is above the drawing. */
  String title() {
    Figure figure = first();
    StringBuilder title = new StringBuilder(figure.scene());
    for (String key : DIMENSIONS) {
      if (!key.equals(dimension) && value(figures.getFirst(), key) > 0) {
        title.append(", ").append(circumstance(key, value(figures.getFirst(), key)));
      }
    }
    if (hasLines()) {
      figures.getFirst().labels().values().forEach(word -> title.append(", ").append(word));
    }
    return title.append(": ").append(figure.metric()).toString();
  }

  /** What stands at the axis of values. */
  String unit() {
    Figure figure = first();
    String unit = figure.unit().isEmpty() ? figure.metric() : figure.unit();
    return unit + ", " + figure.better() + " is better";
  }

  /** A circumstance in words. */
  static String circumstance(String key, double value) {
    return switch (key) {
      case BYTES -> Numbers.bytes((int) value);
      case "loss", "load" -> key + " " + step(key, value);
      default -> Numbers.plain(value) + " " + key;
    };
  }

  /** The same at an axis that says which circumstance it is. */
  static String step(String key, double value) {
    return switch (key) {
      case BYTES -> Numbers.bytes((int) value);
      case "loss", "load" -> Numbers.shown(value * 100) + " %";
      default -> Numbers.plain(value);
    };
  }

  /** The circumstances of a figure in words, the size of its message left out. */
  static String circumstances(Figure figure) {
    List<String> words = new ArrayList<>();
    figure.extra().forEach((key, value) -> words.add(extra(key, value)));
    figure.labels().forEach((key, word) -> words.add(key + " " + word));
    return String.join(", ", words);
  }

  private static String extra(String key, double value) {
    return DIMENSIONS.contains(key) ? circumstance(key, value) : key + " " + Numbers.shown(value);
  }
}

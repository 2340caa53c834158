package io.busbar.bench.report;

import io.busbar.bench.Figure;
import io.busbar.bench.report.Recording.Entry;
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
 * @param entries the figures, in the order of what varies
 * @param dimension what varies among them; {@link #NOTHING} when nothing does
 * @param papers the papers' numbers that stand beside them
 */
record Plot(List<Entry> entries, String dimension, List<PaperNumber> papers) {
  static final String BYTES = "bytes";
  static final String NOTHING = "";

  /** Keys that say under which circumstances a figure was taken. */
  private static final List<String> DIMENSIONS = List.of(BYTES, "loss", "load", "peers");

  /** The drawings of an experiment, in the order of their first figures. */
  static List<Plot> of(List<Entry> entries, List<PaperNumber> papers) {
    List<Plot> plots = new ArrayList<>();
    for (List<Entry> group : grouped(entries, Plot::kind)) {
      String dimension =
          DIMENSIONS.stream().filter(key -> varies(group, key)).findFirst().orElse(NOTHING);
      for (List<Entry> same : grouped(group, entry -> rest(entry, dimension))) {
        Entry first = same.getFirst();
        plots.add(
            new Plot(
                same.stream()
                    .sorted(Comparator.comparingDouble(entry -> value(entry, dimension)))
                    .toList(),
                varies(same, dimension) ? dimension : NOTHING,
                papers.stream().filter(paper -> paper.standsBeside(first)).toList()));
      }
    }
    return plots;
  }

  private static <K> List<List<Entry>> grouped(List<Entry> entries, Function<Entry, K> key) {
    Map<K, List<Entry>> groups = new LinkedHashMap<>();
    for (Entry entry : entries) {
      groups.computeIfAbsent(key.apply(entry), _ -> new ArrayList<>()).add(entry);
    }
    return List.copyOf(groups.values());
  }

  private static List<String> kind(Entry entry) {
    Figure figure = entry.figure();
    return List.of(figure.scene(), figure.metric(), figure.unit(), figure.better());
  }

  /** All circumstances but one; words tell lines apart, and bars they name. */
  private static List<Object> rest(Entry entry, String dimension) {
    List<Object> rest = new ArrayList<>();
    for (String key : DIMENSIONS) {
      if (!key.equals(dimension)) {
        rest.add(value(entry, key));
      }
    }
    rest.add(dimension.isEmpty() ? Map.of() : entry.words());
    return rest;
  }

  private static boolean varies(List<Entry> entries, String key) {
    return entries.stream().map(entry -> value(entry, key)).distinct().count() > 1;
  }

  private static double value(Entry entry, String key) {
    return key.equals(BYTES)
        ? entry.figure().bytes()
        : entry.figure().extra().getOrDefault(key, -1.0);
  }

  /** Where a figure lies in what varies. */
  double at(Entry entry) {
    return value(entry, dimension);
  }

  Figure first() {
    return entries.getFirst().figure();
  }

  boolean hasLines() {
    return !dimension.isEmpty();
  }

  /** Every system of its figures. */
  Set<String> systems() {
    Set<String> systems = new LinkedHashSet<>();
    entries.forEach(entry -> systems.addAll(entry.figure().systems().keySet()));
    return systems;
  }

  /** Every value that has to have its place. */
  List<Double> values() {
    List<Double> values = new ArrayList<>();
    for (Entry entry : entries) {
      for (Double value : entry.figure().systems().values()) {
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
      if (!key.equals(dimension) && value(entries.getFirst(), key) > 0) {
        title.append(", ").append(circumstance(key, value(entries.getFirst(), key)));
      }
    }
    if (hasLines()) {
      entries.getFirst().words().values().forEach(word -> title.append(", ").append(word));
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
  static String circumstances(Entry entry) {
    List<String> words = new ArrayList<>();
    entry.figure().extra().forEach((key, value) -> words.add(extra(key, value)));
    entry.words().forEach((key, word) -> words.add(key + " " + word));
    return String.join(", ", words);
  }

  private static String extra(String key, double value) {
    return DIMENSIONS.contains(key) ? circumstance(key, value) : key + " " + Numbers.shown(value);
  }
}

package io.busbar.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One figure: what was measured, for Busbar and for what stands beside it.
 *
 * @param bench the experiment
 * @param scene the fabric or line, {@code case} in the output
 * @param bytes size of a message; 0 when there is none
 * @param metric what was measured
 * @param unit its unit
 * @param better {@code lower} or {@code higher}
 * @param systems the value for each system; null when it could not be measured
 * @param ratios Busbar's value over another's: median, and the interval of the middle 80 %
 * @param n how many measurements, messages or objects stand behind it
 * @param noise spread of Busbar's own value between repetitions, over its median
 * @param aims what it should be; printed with a verdict for people, without one in the object
 * @param extra further keys
 * @param labels further keys whose value is a word, such as the stage that was measured
 */
public record Figure(
    String bench,
    String scene,
    int bytes,
    String metric,
    String unit,
    String better,
    Map<String, @Nullable Double> systems,
    Map<String, double[]> ratios,
    long n,
    double noise,
    List<Aim> aims,
    Map<String, Double> extra,
    Map<String, String> labels) {
  private static final Pattern PLAIN = Pattern.compile("[^\"\\\\\\p{Cntrl}]*");

  /** A figure of Busbar's alone, or with values that are not measured in rounds. */
  public static Figure plain(
      String bench, String scene, int bytes, String metric, String unit, String better) {
    return new Figure(
        bench,
        scene,
        bytes,
        metric,
        unit,
        better,
        new LinkedHashMap<>(),
        new LinkedHashMap<>(),
        1,
        0,
        List.of(),
        new LinkedHashMap<>(),
        new LinkedHashMap<>());
  }

  /** The same figure with a system's value added. */
  public Figure with(String system, @Nullable Double value) {
    systems.put(system, value);
    return this;
  }

  /** The same figure with a further key added. */
  public Figure also(String key, double value) {
    extra.put(key, value);
    return this;
  }

  /** The same figure with a further key added whose value is a word. */
  public Figure label(String key, String word) {
    if (!PLAIN.matcher(word).matches()) {
      throw new IllegalArgumentException("a label without quotes and controls, not " + word);
    }
    labels.put(key, word);
    return this;
  }

  /** The same figure with another count. */
  public Figure of(long count, double itsNoise) {
    return new Figure(
        bench, scene, bytes, metric, unit, better, systems, ratios, count, itsNoise, aims, extra,
        labels);
  }

  /** The same figure with its aims. */
  public Figure aims(Aim... all) {
    return aims(List.of(all));
  }

  /** The same figure with its aims. */
  public Figure aims(List<Aim> all) {
    return new Figure(
        bench, scene, bytes, metric, unit, better, systems, ratios, n, noise, all, extra, labels);
  }

  /** One object on a line. */
  public String json() {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "{\"bench\":\"%s\",\"case\":\"%s\",\"bytes\":%d,\"metric\":\"%s\",\"unit\":\"%s\","
                + "\"better\":\"%s\",",
            bench,
            scene,
            bytes,
            metric,
            unit,
            better));
    labels.forEach((key, word) -> text.append("\"%s\":\"%s\",".formatted(key, word)));
    text.append("\"systems\":{");
    StringJoiner values = new StringJoiner(",");
    systems.forEach(
        (system, value) ->
            values.add("\"" + system + "\":" + (value == null ? "null" : number(value))));
    text.append(values).append('}');
    if (!ratios.isEmpty()) {
      StringJoiner all = new StringJoiner(",");
      ratios.forEach(
          (system, r) ->
              all.add(
                  "\"%s\":[%s,%s,%s]".formatted(system, number(r[0]), number(r[1]), number(r[2]))));
      text.append(",\"ratio\":{").append(all).append('}');
    }
    if (!aims.isEmpty()) {
      text.append(
          aims.stream().map(Aim::json).collect(Collectors.joining(",", ",\"aims\":[", "]")));
    }
    extra.forEach((key, value) -> text.append(",\"" + key + "\":" + number(value)));
    text.append(",\"n\":").append(n).append(",\"noise\":").append(number(noise));
    return text.append(",\"machine\":").append(Machine.json()).append('}').toString();
  }

  /** A line for people. */
  public String readable() {
    StringBuilder text = new StringBuilder();
    String what = scene + (bytes > 0 ? " " + bytes + " B" : "");
    text.append(String.format(Locale.ROOT, "%-26s %-16s", what, metric));
    labels.forEach((key, word) -> text.append("  ").append(key).append(' ').append(word));
    systems.forEach(
        (system, value) ->
            text.append(
                value == null
                    ? "  %s missing".formatted(system)
                    : String.format(Locale.ROOT, "  %s %s %s", system, number(value), unit)));
    ratios.forEach(
        (system, r) ->
            text.append(
                String.format(
                    Locale.ROOT, "  = %.2f x %s (%.2f to %.2f)", r[0], system, r[1], r[2])));
    extra.forEach((key, value) -> text.append("  ").append(key).append(' ').append(number(value)));
    StringJoiner words = new StringJoiner("; ", "  [aim: ", "]").setEmptyValue("");
    aims.forEach(aim -> words.add(aim.words(this)));
    return text.append(words).toString();
  }

  private static String number(double value) {
    if (!Double.isFinite(value)) {
      return "null"; // there is no such number in an object
    }
    if (value == Math.rint(value) && Math.abs(value) < 1e15) {
      return String.format(Locale.ROOT, "%d", (long) value);
    }
    double size = Math.abs(value);
    return String.format(Locale.ROOT, size < 0.001 ? "%.7f" : size < 10 ? "%.4f" : "%.2f", value);
  }
}

package io.busbar.bench.report;

import io.busbar.bench.Figure;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A number that one of the papers gives, to be drawn beside today's.
 *
 * @param mark where it is listed, such as D23
 * @param system whose number it is
 * @param year when it was published; with a plus that of its newest reference, when it bears none
 * @param hardware what it was measured on
 * @param says the number in the paper's own terms
 * @param benches experiments beside which it stands
 * @param scenes cases beside which it stands; empty for all
 * @param words words that a figure must have, such as of what it is a share
 * @param metric what was measured
 * @param bytes size of the message; 0 when the paper gives none, or means every size
 * @param value in the unit of that metric
 */
record PaperNumber(
    String mark,
    String system,
    String year,
    String hardware,
    String says,
    List<String> benches,
    List<String> scenes,
    Map<String, String> words,
    String metric,
    int bytes,
    double value) {
  private static final String UNDATED = "undated";
  private static final String RESOURCE = "papers.jsonl";

  /** Every number there is. */
  static List<PaperNumber> all() {
    try (InputStream in =
        Optional.ofNullable(PaperNumber.class.getResourceAsStream(RESOURCE)).orElseThrow()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(JsonReader::read)
          .map(line -> of((Json.Obj) line))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + RESOURCE, e);
    }
  }

  private static PaperNumber of(Json.Obj line) {
    return new PaperNumber(
        line.text("mark"),
        line.text("system"),
        line.text("year"),
        line.text("hardware"),
        line.text("says"),
        texts(line, "benches"),
        texts(line, "cases"),
        words(line),
        line.text("metric"),
        (int) ((Json.Num) line.get("bytes")).value(),
        ((Json.Num) line.get("value")).value());
  }

  private static List<String> texts(Json.Obj line, String key) {
    return ((Json.Arr) line.get(key))
        .values().stream().map(text -> ((Json.Text) text).value()).toList();
  }

  private static Map<String, String> words(Json.Obj line) {
    Map<String, String> words = new LinkedHashMap<>();
    if (line.get("words") instanceof Json.Obj given) {
      given.values().keySet().forEach(key -> words.put(key, given.text(key)));
    }
    return words;
  }

  boolean standsBeside(Figure figure) {
    return metric.equals(figure.metric())
        && benches.contains(figure.bench())
        && (scenes.isEmpty() || scenes.contains(figure.scene()))
        && figure.labels().entrySet().containsAll(words.entrySet());
  }

  /** What fits beside a line. */
  String brief() {
    return year.equals(UNDATED) ? system : system + " " + year;
  }

  /** All there is to say. */
  String label() {
    return "%s %s, %s: %s (%s)".formatted(system, year, hardware, says, mark);
  }
}

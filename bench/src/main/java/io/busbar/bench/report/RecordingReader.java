package io.busbar.bench.report;

import io.busbar.bench.Aim;
import io.busbar.bench.Figure;
import io.busbar.bench.report.Recording.Experiment;
import io.busbar.bench.report.Recording.Remark;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the lines of a run. A line that cannot be understood is refused, never left out. */
public final class RecordingReader {
  /** What a figure's line always has; every other key is an extra. */
  private static final Set<String> KEYS =
      Set.of(
          "bench", "case", "bytes", "metric", "unit", "better", "systems", "ratio", "aims", "n",
          "noise", "machine");

  private final Map<String, Experiment> experiments = new LinkedHashMap<>();
  private @Nullable Experiment current;
  private Recording.@Nullable Run run;

  private RecordingReader() {}

  /** Reads a file of lines. */
  public static Recording read(Path file) {
    try {
      return read(String.valueOf(file), Files.readAllLines(file));
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot read %s: %s".formatted(file, e.getClass().getSimpleName()), e);
    }
  }

  /** Reads lines; {@code name} is said of the file when one is broken. */
  static Recording read(String name, List<String> lines) {
    RecordingReader reader = new RecordingReader();
    int number = 0;
    for (String line : lines) {
      number++;
      if (line.isBlank()) {
        continue;
      }
      try {
        reader.line(line);
      } catch (BadJson e) {
        throw new IllegalArgumentException(
            ("%s, line %d: %s; delete the line, or measure again with ./busbar bench report"
                    + " or ./busbar bench NAME --out FILE")
                .formatted(name, number, e.getMessage()),
            e);
      }
    }
    return new Recording(Optional.ofNullable(reader.run), List.copyOf(reader.experiments.values()));
  }

  private void line(String line) {
    if (!(JsonReader.read(line) instanceof Json.Obj object)) {
      throw new BadJson("there is no object");
    }
    if (object.has("run")) {
      run = run(object(object, "run"));
    } else if (object.has("experiment")) {
      experiment(text(object, "experiment"))
          .describe(object.text("description"), object.text("command"));
    } else if (object.has("bench")) {
      experiment(text(object, "bench")).add(figure(object));
    } else if (object.has("missing")) {
      latest().miss(new Remark(text(object, "missing"), object.text("why")));
    } else if (object.has("note")) {
      latest().note(new Remark(text(object, "note"), object.text("setup")));
    } else if (object.has("failed")) {
      experiment(text(object, "failed")).fail(text(object, "why"));
    } else {
      throw new BadJson("this is no line of a benchmark");
    }
  }

  private Experiment experiment(String name) {
    Experiment experiment = experiments.computeIfAbsent(name, Experiment::new);
    current = experiment;
    return experiment;
  }

  /** The experiment whose lines are being read. */
  private Experiment latest() {
    return current == null ? experiment("") : current;
  }

  private static Recording.Run run(Json.Obj object) {
    Map<String, String> machine =
        object.has("machine") ? Recording.machine(object(object, "machine")) : Map.of();
    boolean quick = object.get("quick") instanceof Json.Bool flag && flag.value();
    return new Recording.Run(object.text("date"), object.text("command"), quick, machine);
  }

  private static Figure figure(Json.Obj object) {
    Map<String, String> words = new LinkedHashMap<>();
    Map<String, Double> extra = new LinkedHashMap<>();
    object
        .values()
        .forEach(
            (key, value) -> {
              if (!KEYS.contains(key) && value instanceof Json.Num number) {
                extra.put(key, number.value());
              } else if (!KEYS.contains(key) && value instanceof Json.Text text) {
                words.put(key, text.value());
              }
            });
    double bytes = number(object, "bytes");
    if (bytes < 0 || bytes != (int) bytes) {
      throw new BadJson("\"bytes\" is no size");
    }
    String better = text(object, "better");
    if (!better.equals("lower") && !better.equals("higher")) {
      throw new BadJson("\"better\" is neither lower nor higher");
    }
    Figure figure =
        Figure.plain(
                text(object, "bench"),
                text(object, "case"),
                (int) bytes,
                text(object, "metric"),
                text(object, "unit"),
                better)
            .of(
                (long) number(object, "n"),
                object.get("noise") instanceof Json.Num noise ? noise.value() : 0)
            .aims(object.has("aims") ? aims(array(object, "aims")) : List.of());
    systems(object(object, "systems"), figure);
    if (object.has("ratio")) {
      ratios(object(object, "ratio"), figure.ratios());
    }
    figure.extra().putAll(extra);
    figure.labels().putAll(words);
    return figure;
  }

  private static void systems(Json.Obj object, Figure figure) {
    for (String system : object.values().keySet()) {
      figure.with(
          system, object.get(system) == Json.Null.NULL ? null : (Double) number(object, system));
    }
  }

  private static void ratios(Json.Obj object, Map<String, double[]> ratios) {
    for (String system : object.values().keySet()) {
      List<Json> three = array(object, system).values();
      double[] ratio =
          three.stream().mapToDouble(one -> one instanceof Json.Num n ? n.value() : -1).toArray();
      if (ratio.length != 3 || ratio[0] < 0 || ratio[1] < 0 || ratio[2] < 0) {
        throw new BadJson(
            "the ratio to %s is not a median and two bounds".formatted(Json.quote(system)));
      }
      ratios.put(system, ratio);
    }
  }

  private static List<Aim> aims(Json.Arr array) {
    List<Aim> aims = new ArrayList<>();
    for (Json one : array.values()) {
      if (!(one instanceof Json.Obj aim)) {
        throw new BadJson("an aim is no object");
      }
      boolean atMost = aim.has("at_most");
      aims.add(new Aim(atMost, number(aim, atMost ? "at_most" : "at_least"), aim.text("of")));
    }
    return aims;
  }

  private static String text(Json.Obj object, String key) {
    if (object.get(key) instanceof Json.Text text) {
      return text.value();
    }
    throw missing(key, "text");
  }

  private static double number(Json.Obj object, String key) {
    if (object.get(key) instanceof Json.Num number) {
      return number.value();
    }
    throw missing(key, "a number");
  }

  private static Json.Obj object(Json.Obj object, String key) {
    if (object.get(key) instanceof Json.Obj inner) {
      return inner;
    }
    throw missing(key, "an object");
  }

  private static Json.Arr array(Json.Obj object, String key) {
    if (object.get(key) instanceof Json.Arr inner) {
      return inner;
    }
    throw missing(key, "a list");
  }

  private static BadJson missing(String key, String kind) {
    return new BadJson("%s is not %s".formatted(Json.quote(key), kind));
  }
}

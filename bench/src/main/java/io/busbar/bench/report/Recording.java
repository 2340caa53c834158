package io.busbar.bench.report;

import io.busbar.bench.Figure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What a run left behind.
 *
 * @param run when, where and how; empty when the lines do not say
 * @param experiments in the order in which they began
 */
public record Recording(Optional<Run> run, List<Experiment> experiments) {
  /** The system that all others stand beside. */
  static final String BUSBAR = "busbar";

  /**
   * The circumstances of a run.
   *
   * @param date when it began
   * @param command what was typed
   * @param quick whether it was shorter and coarser
   * @param machine what there is to know about the machine, by name
   */
  public record Run(String date, String command, boolean quick, Map<String, String> machine) {}

  /**
   * A word about a system: how it is set up, or why it is missing.
   *
   * @param system which one
   * @param words what is said
   */
  public record Remark(String system, String words) {}

  /** One experiment of a run. */
  public static final class Experiment {
    private final String name;
    private String description = "";
    private String command = "";
    private String failure = "";
    private final List<Figure> figures = new ArrayList<>();
    private final Set<Remark> notes = new LinkedHashSet<>();
    private final Set<Remark> missing = new LinkedHashSet<>();

    Experiment(String name) {
      this.name = name;
    }

    void describe(String itsDescription, String itsCommand) {
      description = itsDescription;
      command = itsCommand;
    }

    void fail(String why) {
      failure = why;
    }

    void add(Figure figure) {
      figures.add(figure);
    }

    void note(Remark note) {
      notes.add(note);
    }

    void miss(Remark why) {
      missing.add(why);
    }

    /** How it is called on the command line. */
    public String name() {
      return name;
    }

    /** What it measures; empty when the lines do not say. */
    public String description() {
      return description;
    }

    /** What to type to run it alone; empty when the lines do not say. */
    public String command() {
      return command;
    }

    /** Why it ended early; empty when it did not. */
    public String failure() {
      return failure;
    }

    /** What was measured. */
    public List<Figure> figures() {
      return List.copyOf(figures);
    }

    /** How systems are set up, each word once. */
    public List<Remark> notes() {
      return List.copyOf(notes);
    }

    /** Systems that could not be measured, each word once. */
    public List<Remark> missing() {
      return List.copyOf(missing);
    }
  }

  /** Every figure. */
  Stream<Figure> figures() {
    return experiments.stream().flatMap(experiment -> experiment.figures().stream());
  }

  /** Every system in the order in which it first appears, Busbar first. */
  List<String> systems() {
    Set<String> systems = new LinkedHashSet<>();
    systems.add(BUSBAR);
    figures().forEach(figure -> systems.addAll(figure.systems().keySet()));
    return List.copyOf(systems);
  }

  /** Those that did not come to their end. */
  public List<Experiment> failed() {
    return experiments.stream().filter(experiment -> !experiment.failure().isEmpty()).toList();
  }

  /** The numbers of a machine that are the same in each line of a figure. */
  static Map<String, String> machine(Json.Obj facts) {
    Map<String, String> machine = new LinkedHashMap<>();
    facts
        .values()
        .forEach(
            (key, value) -> {
              if (value instanceof Json.Text text) {
                machine.put(key, text.value());
              } else if (value instanceof Json.Num number) {
                machine.put(key, Numbers.plain(number.value()));
              }
            });
    return machine;
  }
}

package io.busbar.bench.report;

import static io.busbar.bench.report.Markup.markdown;

import io.busbar.bench.Aim;
import io.busbar.bench.Figure;
import io.busbar.bench.report.Comparison.Standing;
import io.busbar.bench.report.Comparison.Tally;
import io.busbar.bench.report.Recording.Experiment;
import io.busbar.bench.report.Recording.Remark;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The summary: machine, commands, ratios and verdicts as text that reads well unrendered. */
final class MarkdownSummary {
  private final Recording recording;
  private final StringBuilder text = new StringBuilder();

  private MarkdownSummary(Recording recording) {
    this.recording = recording;
  }

  static String of(Recording recording) {
    MarkdownSummary summary = new MarkdownSummary(recording);
    summary.text.append("# Busbar, measured\n\n");
    summary.circumstances();
    summary.failures();
    summary.tally();
    summary.ratios();
    summary.remarks("Missing", recording.experiments().stream(), Experiment::missing);
    summary.remarks("Set-up", recording.experiments().stream(), Experiment::notes);
    return summary.text.toString();
  }

  private void circumstances() {
    recording
        .run()
        .ifPresentOrElse(
            run -> {
              text.append("- date: %s\n".formatted(markdown(run.date())));
              text.append("- effort: %s\n".formatted(run.quick() ? "quick" : "full"));
              run.machine()
                  .forEach(
                      (key, value) ->
                          text.append("- %s: %s\n".formatted(markdown(key), markdown(value))));
            },
            () -> text.append("The lines do not say when and where they were written.\n"));
    List<String> commands =
        Stream.concat(
                recording.run().map(Recording.Run::command).stream(),
                recording.experiments().stream().map(Experiment::command))
            .filter(command -> !command.isEmpty())
            .map(command -> command.replace('\n', ' ').replace('\r', ' '))
            .toList();
    if (!commands.isEmpty()) {
      text.append("\nThe whole, and each experiment alone:\n\n");
      text.append(Markup.block(String.join("\n", commands)));
    }
  }

  private void failures() {
    if (!recording.failed().isEmpty()) {
      text.append("\n## Did not come to their end\n\n");
      recording
          .failed()
          .forEach(
              experiment ->
                  text.append(
                      "- %s: %s\n"
                          .formatted(markdown(experiment.name()), markdown(experiment.failure()))));
    }
  }

  private void tally() {
    Tally tally = Tally.of(recording);
    text.append("\n## Verdicts\n\nAims: ")
        .append(
            tally.verdicts().entrySet().stream()
                .map(entry -> entry.getValue() + " " + entry.getKey())
                .collect(Collectors.joining(", ")))
        .append(".\n");
    if (!tally.standings().isEmpty()) {
      row("Busbar beside", "ahead", "level", "behind");
      row("---", "--:", "--:", "--:");
      for (String system : tally.standings().keySet()) {
        row(
            markdown(system),
            Integer.toString(tally.count(system, Standing.AHEAD)),
            Integer.toString(tally.count(system, Standing.LEVEL)),
            Integer.toString(tally.count(system, Standing.BEHIND)));
      }
    }
  }

  private void row(String... cells) {
    boolean goesOn = text.indexOf("|\n", text.length() - 2) >= 0;
    text.append(goesOn ? "" : "\n");
    text.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  private void ratios() {
    text.append("\n## Ratios\n");
    row(
        "experiment",
        "case",
        "size",
        "metric",
        "Busbar",
        "beside",
        "its value",
        "ratio",
        "middle 80 %",
        "Busbar is",
        "aim",
        "verdict");
    row("---", "---", "--:", "---", "--:", "---", "--:", "--:", "---", "---", "---", "---");
    recording
        .figures()
        .filter(Comparison::isComparable)
        .forEach(figure -> Comparison.of(figure).forEach(one -> comparison(figure, one)));
  }

  private void comparison(Figure figure, Comparison one) {
    StringJoiner aims = new StringJoiner("; ");
    StringJoiner verdicts = new StringJoiner("; ");
    for (Aim aim : one.aims()) {
      aims.add(markdown(Comparison.words(aim)));
      verdicts.add(Comparison.verdict(aim, figure));
    }
    String circumstances = Plot.circumstances(figure);
    Comparison.Ratio ratio = one.ratio();
    row(
        markdown(figure.bench()),
        markdown(figure.scene() + (circumstances.isEmpty() ? "" : ", " + circumstances)),
        figure.bytes() > 0 ? Numbers.bytes(figure.bytes()) : "",
        markdown(figure.metric()),
        markdown(Numbers.orMissing(figure.systems().get(Recording.BUSBAR), figure.unit())),
        markdown(one.system()),
        one.system().isEmpty() ? "" : markdown(Numbers.orMissing(one.value(), figure.unit())),
        ratio == null ? "" : ratio.words(),
        ratio == null ? "" : ratio.interval(),
        one.standing().words(),
        aims.toString(),
        verdicts.toString());
  }

  private interface Remarks {
    List<Remark> of(Experiment experiment);
  }

  private void remarks(String title, Stream<Experiment> experiments, Remarks remarks) {
    StringBuilder lines = new StringBuilder();
    experiments.forEach(
        experiment -> {
          for (Remark remark : remarks.of(experiment)) {
            lines.append(
                "- %s, %s: %s\n"
                    .formatted(
                        markdown(experiment.name()),
                        markdown(remark.system()),
                        markdown(remark.words())));
          }
        });
    if (!lines.isEmpty()) {
      text.append("\n## ").append(title).append("\n\n").append(lines);
    }
  }
}

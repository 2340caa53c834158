package io.busbar.bench.report;

import static io.busbar.bench.report.Markup.html;

import io.busbar.bench.report.Comparison.Standing;
import io.busbar.bench.report.Comparison.Tally;
import io.busbar.bench.report.Recording.Experiment;
import io.busbar.bench.report.Recording.Remark;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The page: one file without scripts, that asks nobody for anything. */
final class HtmlPage {
  private final Recording recording;
  private final Systems systems;
  private final List<PaperNumber> papers = PaperNumber.all();
  private final StringBuilder page = new StringBuilder();

  private HtmlPage(Recording recording) {
    this.recording = recording;
    systems = new Systems(recording);
  }

  static String of(Recording recording) {
    HtmlPage page = new HtmlPage(recording);
    page.head();
    page.failures();
    page.tally();
    page.page.append("<h2 id=\"ratios\">Ratios</h2>\n").append(RatioTable.of(recording));
    page.contents();
    recording.experiments().forEach(page::experiment);
    page.commands();
    return page.page.append("</main>\n</body>\n</html>\n").toString();
  }

  private static String style() {
    try (InputStream in =
        Optional.ofNullable(HtmlPage.class.getResourceAsStream("page.css")).orElseThrow()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read page.css", e);
    }
  }

  private void head() {
    page.append(
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <link rel="icon" href="data:,">
        <title>Busbar, measured</title>
        <style>
        %s</style>
        </head>
        <body>
        <main>
        <h1>Busbar, measured</h1>
        """
            .formatted(style()));
    recording
        .run()
        .ifPresentOrElse(
            this::circumstances,
            () -> page.append("<p>The lines do not say when and where they were written.</p>\n"));
  }

  private void circumstances(Recording.Run run) {
    page.append("<dl class=\"facts\">\n");
    fact("date", run.date());
    fact("effort", run.quick() ? "quick: shorter and coarser" : "full");
    run.machine().forEach(this::fact);
    page.append("</dl>\n");
  }

  private void fact(String key, String value) {
    page.append("<dt>%s</dt><dd>%s</dd>\n".formatted(html(key), html(value)));
  }

  private void failures() {
    if (!recording.failed().isEmpty()) {
      page.append("<h2>Did not come to their end</h2>\n<dl class=\"facts\">\n");
      recording.failed().forEach(failed -> fact(failed.name(), failed.failure()));
      page.append("</dl>\n");
    }
  }

  private void tally() {
    Tally tally = Tally.of(recording);
    page.append("<h2>Verdicts</h2>\n<p class=\"counts\">Aims: ")
        .append(
            tally.verdicts().entrySet().stream()
                .map(entry -> entry.getValue() + " " + entry.getKey())
                .collect(Collectors.joining(", ")))
        .append(".</p>\n");
    if (tally.standings().isEmpty()) {
      return;
    }
    page.append(
        "<p>Ratios, by the interval of the middle 80&nbsp;%: Busbar is level where it holds 1."
            + " <em>floor</em> is the least code that does the same.</p>\n"
            + "<div class=\"scroll\"><table class=\"tally\"><thead><tr><th>Busbar beside</th>"
            + "<th>ahead</th><th>level</th><th>behind</th></tr></thead><tbody>\n");
    for (String system : tally.standings().keySet()) {
      page.append(
          "<tr><th>%s</th><td>%d</td><td>%d</td><td>%d</td></tr>\n"
              .formatted(
                  html(system),
                  tally.count(system, Standing.AHEAD),
                  tally.count(system, Standing.LEVEL),
                  tally.count(system, Standing.BEHIND)));
    }
    page.append("</tbody></table></div>\n");
  }

  private int index(Experiment experiment) {
    return recording.experiments().indexOf(experiment);
  }

  private void contents() {
    page.append("<nav><h2>Experiments</h2><ul>\n");
    for (Experiment experiment : recording.experiments()) {
      page.append(
          "<li><a href=\"#e%d\">%s</a> %s</li>\n"
              .formatted(
                  index(experiment), html(experiment.name()), html(experiment.description())));
    }
    page.append("</ul>\n<p>A dashed line or bar is a number of one of the papers, on the hardware")
        .append(" of its time; the legend tells which. A latency there may be one way, and is")
        .append(" drawn as it stands. A plus after a year: the paper bears none, it is that of")
        .append(" its newest reference.</p></nav>\n");
  }

  private void experiment(Experiment experiment) {
    page.append(
        "<section id=\"e%d\">\n<h2>%s</h2>\n"
            .formatted(index(experiment), html(experiment.name())));
    if (!experiment.description().isEmpty()) {
      page.append("<p>%s</p>\n".formatted(html(experiment.description())));
    }
    if (!experiment.command().isEmpty()) {
      page.append("<pre>%s</pre>\n".formatted(html(experiment.command())));
    }
    if (!experiment.failure().isEmpty()) {
      page.append("<p>It did not come to its end: %s</p>\n".formatted(html(experiment.failure())));
    }
    remarks("Missing", experiment.missing());
    remarks("Set-up", experiment.notes());
    List<Plot> plots = Plot.of(experiment.figures(), papers);
    if (!plots.isEmpty()) {
      page.append("<div class=\"plots\">\n");
      plots.forEach(this::plot);
      page.append(
              "</div>\n<details><summary>Every number of %s</summary>\n"
                  .formatted(html(experiment.name())))
          .append(DataTable.of(experiment))
          .append("</details>\n");
    }
    page.append("</section>\n");
  }

  private void remarks(String title, List<Remark> remarks) {
    if (!remarks.isEmpty()) {
      page.append("<h3>%s</h3>\n<dl class=\"facts\">\n".formatted(title));
      remarks.forEach(remark -> fact(remark.system(), remark.words()));
      page.append("</dl>\n");
    }
  }

  private void plot(Plot plot) {
    page.append("<figure>\n<figcaption>%s</figcaption>\n".formatted(html(plot.title())));
    page.append(plot.hasLines() ? LinePlot.draw(plot, systems) : BarPlot.draw(plot, systems));
    if (plot.hasLines() || !plot.papers().isEmpty()) {
      page.append("<ul class=\"legend\">\n");
      if (plot.hasLines()) {
        plot.systems().forEach(system -> page.append(legend(plot, system)));
      }
      plot.papers()
          .forEach(
              paper ->
                  page.append(
                      "<li>%s%s</li>\n"
                          .formatted(
                              new Svg(20, 10).line(1, 5, 19, 5, "paper").done("key", paper.mark()),
                              html(paper.label()))));
      page.append("</ul>\n");
    }
    page.append("</figure>\n");
  }

  private String legend(Plot plot, String system) {
    boolean measured =
        plot.figures().stream().anyMatch(figure -> figure.systems().get(system) != null);
    Systems.Look look = systems.look(system);
    String key =
        new Svg(20, 10)
            .line(1, 5, 19, 5, "line " + look.style())
            .mark(10, 5, look, system)
            .done("key", system);
    return "<li>%s%s%s</li>\n".formatted(key, html(system), measured ? "" : " (not measured)");
  }

  private void commands() {
    page.append("<h2>Commands</h2>\n<pre>");
    recording.run().ifPresent(run -> page.append(html(run.command())).append('\n'));
    recording.experiments().stream()
        .map(Experiment::command)
        .filter(command -> !command.isEmpty())
        .forEach(command -> page.append(html(command)).append('\n'));
    page.append("</pre>\n");
  }
}

package io.busbar.bench.report;

import static io.busbar.bench.report.Markup.html;

import io.busbar.bench.Figure;
import io.busbar.bench.report.Recording.Experiment;
import java.util.LinkedHashSet;
import java.util.Set;

/** Every number of an experiment, with all the digits that its line has. */
final class DataTable {
  private DataTable() {}

  static String of(Experiment experiment) {
    Set<String> systems = new LinkedHashSet<>();
    experiment.figures().forEach(figure -> systems.addAll(figure.systems().keySet()));
    StringBuilder table = new StringBuilder();
    table.append("<div class=\"scroll\" tabindex=\"0\"><table class=\"data\">\n<thead><tr>");
    table.append("<th>case</th><th>bytes</th><th>circumstances</th><th>metric</th><th>unit</th>");
    systems.forEach(system -> table.append("<th>%s</th>".formatted(html(system))));
    table.append("<th>n</th><th>noise</th></tr></thead>\n<tbody>\n");
    for (Figure figure : experiment.figures()) {
      table.append("<tr><th>%s</th>".formatted(html(figure.scene())));
      number(table, Integer.toString(figure.bytes()));
      table.append("<td>%s</td>".formatted(html(Plot.circumstances(figure))));
      table.append("<td>%s</td>".formatted(html(figure.metric())));
      table.append("<td>%s</td>".formatted(html(figure.unit())));
      for (String system : systems) {
        Double value = figure.systems().get(system);
        if (value != null) {
          number(table, Numbers.plain(value));
        } else {
          number(table, figure.systems().containsKey(system) ? "not measured" : "");
        }
      }
      number(table, Long.toString(figure.n()));
      number(table, Numbers.plain(figure.noise()));
      table.append("</tr>\n");
    }
    return table.append("</tbody></table></div>\n").toString();
  }

  private static void number(StringBuilder table, String words) {
    table.append("<td class=\"number\">%s</td>".formatted(words));
  }
}

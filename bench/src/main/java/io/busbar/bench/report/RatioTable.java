package io.busbar.bench.report;

import static io.busbar.bench.report.Markup.html;

import io.busbar.bench.Aim;
import io.busbar.bench.Figure;
import java.util.List;

/** The table at the top: who is ahead, by how much, and what was aimed at. */
final class RatioTable {
  private static final int COLUMNS = 11;

  private final StringBuilder table = new StringBuilder();

  private RatioTable() {}

  static String of(Recording recording) {
    RatioTable ratios = new RatioTable();
    ratios.table.append(
        """
        <p>Busbar's value over the other's: the median over paired rounds, and the interval of the
        middle 80&nbsp;%. It is not the quotient of the two medians. The median decides an aim.</p>
        <div class="scroll" tabindex="0"><table class="ratios">
        <thead><tr><th>case</th><th>size</th><th>metric</th><th>Busbar</th><th>beside</th>
        <th>its value</th><th>ratio</th><th>middle 80&nbsp;%</th><th>Busbar is</th><th>aim</th>
        <th>verdict</th></tr></thead>
        """);
    String bench = "";
    for (Figure figure : recording.figures().toList()) {
      if (Comparison.isComparable(figure)) {
        if (!bench.equals(figure.bench())) {
          bench = figure.bench();
          ratios.table.append(
              "<tbody><tr><th class=\"bench\" colspan=\"%d\">%s</th></tr></tbody>\n"
                  .formatted(COLUMNS, html(bench)));
        }
        ratios.figure(figure);
      }
    }
    return ratios.table.append("</table></div>\n").toString();
  }

  private void figure(Figure figure) {
    List<Comparison> comparisons = Comparison.of(figure);
    String circumstances = Plot.circumstances(figure);
    table.append("<tbody class=\"figure\">\n");
    String first =
        ("<th rowspan=\"%1$d\">%2$s</th><td rowspan=\"%1$d\" class=\"number\">%3$s</td>"
                + "<td rowspan=\"%1$d\">%4$s <small>%5$s is better</small></td>"
                + "<td rowspan=\"%1$d\" class=\"number\">%6$s</td>")
            .formatted(
                comparisons.size(),
                html(figure.scene())
                    + (circumstances.isEmpty()
                        ? ""
                        : " <small>" + html(circumstances) + "</small>"),
                figure.bytes() > 0 ? Numbers.bytes(figure.bytes()) : "",
                html(figure.metric()),
                html(figure.better()),
                html(Numbers.orMissing(figure.systems().get(Recording.BUSBAR), figure.unit())));
    for (Comparison one : comparisons) {
      table.append("<tr>").append(first).append(comparison(figure, one)).append("</tr>\n");
      first = "";
    }
    table.append("</tbody>\n");
  }

  /** The same colour for all: full, empty, none. */
  private static String mark(Aim.Verdict verdict) {
    return switch (verdict) {
      case MET -> "●";
      case MISSED -> "○";
      case UNKNOWN -> "–";
    };
  }

  private static String comparison(Figure figure, Comparison one) {
    Comparison.Ratio ratio = one.ratio();
    StringBuilder aims = new StringBuilder();
    StringBuilder verdicts = new StringBuilder();
    for (Aim aim : one.aims()) {
      aims.append("<div>%s</div>".formatted(html(Comparison.words(aim))));
      verdicts.append(
          "<div class=\"verdict\">%s %s</div>"
              .formatted(mark(aim.judge(figure)), Comparison.verdict(aim, figure)));
    }
    return ("<td>%s</td><td class=\"number\">%s</td><td class=\"number\">%s</td>"
            + "<td class=\"number\">%s</td><td class=\"standing\">%s</td><td>%s</td><td>%s</td>")
        .formatted(
            html(one.system()),
            one.system().isEmpty() ? "" : html(Numbers.orMissing(one.value(), figure.unit())),
            ratio == null ? "" : ratio.words(),
            ratio == null ? "" : ratio.interval(),
            one.standing().words(),
            aims,
            verdicts);
  }
}

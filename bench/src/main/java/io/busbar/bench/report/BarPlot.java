package io.busbar.bench.report;

import io.busbar.bench.Figure;
import io.busbar.bench.report.Svg.Anchor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Draws figures that do not vary: a bar for each system, from zero, and one for each paper. */
final class BarPlot {
  private static final double TOP = 24;
  private static final double ROW = 20;
  private static final double NAMES = 132;
  private static final double VALUES = 112;
  private static final double LEAST = 1.5;

  /**
   * One bar.
   *
   * @param name what it is called
   * @param words its value in words
   * @param value its length; null when there is none
   * @param style how it is drawn
   */
  private record Bar(String name, String words, @Nullable Double value, String style) {}

  private BarPlot() {}

  static String draw(Plot plot, Systems systems) {
    List<Bar> bars = bars(plot, systems);
    double height = TOP + ROW * bars.size() + 6;
    double right = LinePlot.WIDTH - VALUES;
    double most = plot.values().stream().mapToDouble(v -> v).max().orElse(0);
    Axis axis = Axis.linear(most, NAMES, right);
    Svg svg = new Svg(LinePlot.WIDTH, height);
    svg.fitted(4, 12, Anchor.START, "axis", plot.unit(), LinePlot.WIDTH - 8);
    double y = TOP;
    for (Bar bar : bars) {
      svg.fitted(NAMES - 6, y + 13, Anchor.END, "tick", bar.name, NAMES - 10);
      double end = NAMES;
      if (bar.value != null) {
        double length = Math.max(axis.at(bar.value) - NAMES, LEAST);
        svg.bar(NAMES, y + 3, length, ROW - 6, bar.style, bar.name + ": " + bar.words);
        end = NAMES + length;
      }
      svg.fitted(end + 5, y + 13, Anchor.START, "value", bar.words, LinePlot.WIDTH - end - 5 - 4);
      y += ROW;
    }
    svg.line(NAMES, TOP, NAMES, y, "frame");
    return svg.done("plot bars", plot.title());
  }

  private static List<Bar> bars(Plot plot, Systems systems) {
    List<Bar> bars = new ArrayList<>();
    boolean several = plot.systems().size() > 1;
    for (Figure figure : plot.figures()) {
      String words = String.join(" ", figure.labels().values());
      for (String system : figure.systems().keySet()) {
        Double value = figure.systems().get(system);
        String shown = value == null ? "not measured" : brief(value, figure.unit());
        bars.add(
            new Bar(
                words.isEmpty() ? system : words + (several ? " " + system : ""),
                shown,
                value,
                "bar " + systems.look(system).style()));
      }
    }
    for (PaperNumber paper : plot.papers()) {
      String shown = brief(paper.value(), plot.first().unit());
      bars.add(new Bar(paper.brief(), shown, paper.value(), "paper"));
    }
    return bars;
  }

  private static String brief(double value, String unit) {
    return unit.isEmpty() ? Numbers.brief(value) : Numbers.brief(value) + " " + unit;
  }
}

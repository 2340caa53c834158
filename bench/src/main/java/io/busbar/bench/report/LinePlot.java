package io.busbar.bench.report;

import io.busbar.bench.Figure;
import io.busbar.bench.report.Svg.Anchor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Draws figures that vary with a size or another circumstance: a line for each system. */
final class LinePlot {
  static final double WIDTH = 420;
  static final double HEIGHT = 250;

  /** For the name of a paper's number beside its line. */
  static final double LABEL_ROOM = 108;

  private static final double LEFT = 46;
  private static final double TOP = 24;
  private static final double BOTTOM = HEIGHT - 38;
  private static final double LABELS = 120;
  private static final double LABEL_HEIGHT = 13;

  private final Plot plot;
  private final Systems systems;
  private final double right;
  private final Axis across;
  private final Axis up;
  private final Svg svg = new Svg(WIDTH, HEIGHT);

  private LinePlot(Plot plot, Systems systems) {
    this.plot = plot;
    this.systems = systems;
    right = WIDTH - (plot.papers().isEmpty() ? 26 : LABELS);
    List<Double> steps = plot.figures().stream().map(plot::at).distinct().toList();
    across = Axis.steps(steps, step -> Plot.step(plot.dimension(), step), LEFT + 16, right - 8);
    up = Axis.values(plot.values(), BOTTOM, TOP);
  }

  static String draw(Plot plot, Systems systems) {
    LinePlot drawing = new LinePlot(plot, systems);
    drawing.axes();
    drawing.papers();
    plot.systems().forEach(drawing::line);
    return drawing.svg.done("plot lines", plot.title());
  }

  private void axes() {
    svg.fitted(4, 12, Anchor.START, "axis", plot.unit(), WIDTH - 8);
    for (Axis.Tick tick : up.ticks()) {
      svg.line(LEFT, tick.at(), right, tick.at(), "grid");
      svg.fitted(LEFT - 4, tick.at() + 3.5, Anchor.END, "tick", tick.label(), LEFT - 6);
    }
    svg.line(LEFT, BOTTOM, right, BOTTOM, "frame");
    for (Axis.Tick tick : across.ticks()) {
      svg.line(tick.at(), BOTTOM, tick.at(), BOTTOM + 4, "frame");
      svg.text(tick.at(), BOTTOM + 15, Anchor.MIDDLE, "tick", tick.label());
    }
    String name = plot.dimension().equals(Plot.BYTES) ? "size of a message" : plot.dimension();
    svg.fitted((LEFT + right) / 2, HEIGHT - 6, Anchor.MIDDLE, "axis", name, right - LEFT);
  }

  /** Dashed lines, each with its name at the right, moved apart where they are close. */
  private void papers() {
    List<PaperNumber> sorted = new ArrayList<>(plot.papers());
    sorted.sort(Comparator.comparingDouble(PaperNumber::value).reversed());
    double[] places = apart(sorted.stream().map(paper -> up.at(paper.value())).toList());
    for (int i = 0; i < places.length; i++) {
      PaperNumber paper = sorted.get(i);
      double y = up.at(paper.value());
      svg.line(from(paper), y, right, y, "paper");
      svg.line(right, y, right + 6, places[i], "paper");
      svg.fitted(right + 8, places[i] + 3.5, Anchor.START, "paper", paper.brief(), LABEL_ROOM);
    }
  }

  /** A number for one size begins there; others are as long as the plot is wide. */
  private double from(PaperNumber paper) {
    boolean hasPlace =
        plot.dimension().equals(Plot.BYTES)
            && paper.bytes() >= plot.first().bytes()
            && paper.bytes() <= plot.figures().getLast().bytes()
            && plot.first().bytes() > 0;
    return hasPlace ? across.at(paper.bytes()) : LEFT;
  }

  /** Places from the top, none closer to the next than a label is high, all within the plot. */
  static double[] apart(List<Double> wanted) {
    double[] places = new double[wanted.size()];
    double free = TOP;
    for (int i = 0; i < places.length; i++) {
      places[i] = Math.max(wanted.get(i), free);
      free = places[i] + LABEL_HEIGHT;
    }
    double limit = BOTTOM;
    for (int i = places.length - 1; i >= 0; i--) {
      places[i] = Math.min(places[i], limit);
      limit = places[i] - LABEL_HEIGHT;
    }
    return places;
  }

  private void line(String system) {
    Systems.Look look = systems.look(system);
    StringBuilder points = new StringBuilder();
    for (Figure figure : plot.figures()) {
      Double value = figure.systems().get(system);
      if (value == null) {
        flush(points, look);
      } else {
        points.append(Svg.point(across.at(plot.at(figure)), up.at(value)));
      }
    }
    flush(points, look);
    for (Figure figure : plot.figures()) {
      Double value = figure.systems().get(system);
      if (value != null) {
        String words =
            "%s, %s: %s"
                .formatted(
                    system,
                    Plot.circumstance(plot.dimension(), plot.at(figure)),
                    Numbers.shown(value, figure.unit()));
        svg.mark(across.at(plot.at(figure)), up.at(value), look, words);
      }
    }
  }

  /** A line ends where a value is missing. */
  private void flush(StringBuilder points, Systems.Look look) {
    if (!points.isEmpty()) {
      svg.path(points.toString().strip(), "line " + look.style());
      points.setLength(0);
    }
  }
}

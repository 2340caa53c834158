package io.busbar.bench.report;

import java.util.Locale;

/** A drawing that grows by elements. Texts are escaped here, and nowhere else. */
final class Svg {
  /** Size of the font of every text. */
  static final double FONT = 10;

  private final StringBuilder body = new StringBuilder();
  private final double width;
  private final double height;

  Svg(double width, double height) {
    this.width = width;
    this.height = height;
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  /** Where a text's place lies in it. */
  enum Anchor {
    /** At its beginning. */
    START,
    /** In its middle. */
    MIDDLE,
    /** At its end. */
    END
  }

  Svg text(double x, double y, Anchor anchor, String style, String text) {
    body.append(
        "<text class=\"%s\" x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text>\n"
            .formatted(
                style,
                number(x),
                number(y),
                anchor.name().toLowerCase(Locale.ROOT),
                Markup.html(text)));
    return this;
  }

  /** The same cut to the room there is; all of it is shown to who points at it. */
  Svg fitted(double x, double y, Anchor anchor, String style, String text, double room) {
    String cut = TextFit.cut(text, FONT, room);
    if (cut.equals(text)) {
      return text(x, y, anchor, style, text);
    }
    body.append("<g><title>%s</title>".formatted(Markup.html(text)));
    text(x, y, anchor, style, cut);
    body.append("</g>\n");
    return this;
  }

  Svg line(double x1, double y1, double x2, double y2, String style) {
    body.append(
        "<line class=\"%s\" x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"/>\n"
            .formatted(style, number(x1), number(y1), number(x2), number(y2)));
    return this;
  }

  Svg path(String points, String style) {
    body.append("<polyline class=\"%s\" points=\"%s\"/>\n".formatted(style, points));
    return this;
  }

  Svg bar(double x, double y, double wide, double high, String style, String words) {
    body.append(
        "<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"><title>%s</title></rect>\n"
            .formatted(
                style, number(x), number(y), number(wide), number(high), Markup.html(words)));
    return this;
  }

  /** A mark of a system: its form tells it as well as its colour. */
  Svg mark(double x, double y, Systems.Look look, String words) {
    body.append(
        "<path class=\"mark %s\" d=\"%s\" transform=\"translate(%s %s)\"><title>%s</title></path>\n"
            .formatted(look.style(), look.form(), number(x), number(y), Markup.html(words)));
    return this;
  }

  /** The whole drawing. */
  String done(String style, String label) {
    return "<svg class=\"%s\" viewBox=\"0 0 %s %s\" role=\"img\" aria-label=\"%s\">\n%s</svg>\n"
        .formatted(style, number(width), number(height), Markup.html(label), body);
  }

  /** A point of a line. */
  static String point(double x, double y) {
    return number(x) + "," + number(y) + " ";
  }
}

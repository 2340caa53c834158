package io.busbar.bench.report;

/**
 * How wide text becomes, without a font at hand: never less than in the fonts that browsers come
 * with, so that what fits here fits there.
 */
final class TextFit {
  private static final String NARROW = "ijlftrI|.,:;'!() []-/";
  private static final String WIDE = "mwMW%@";

  private TextFit() {}

  /** The width at a size of font. */
  static double width(String text, double font) {
    return font * text.codePoints().mapToDouble(TextFit::share).sum();
  }

  private static double share(int c) {
    if (c > 0x7e) {
      return c > 0xffff ? 1.6 : 1.15;
    }
    if (NARROW.indexOf(c) >= 0) {
      return 0.5;
    }
    if (WIDE.indexOf(c) >= 0) {
      return 1.05;
    }
    return Character.isUpperCase(c) ? 0.82 : 0.67;
  }

  /** The text, or as much of its beginning as there is room for, with dots. */
  static String cut(String text, double font, double room) {
    if (width(text, font) <= room) {
      return text;
    }
    int[] all = text.codePoints().toArray();
    StringBuilder kept = new StringBuilder();
    double left = room - width("…", font);
    for (int c : all) {
      left -= font * share(c);
      if (left < 0) {
        break;
      }
      kept.appendCodePoint(c);
    }
    return kept.append('…').toString();
  }
}

package io.busbar.bench.report;

/** Makes text harmless before it becomes part of a page or of a summary. */
final class Markup {
  private Markup() {}

  /** For HTML and SVG: between tags, and in attributes between quotes. */
  static String html(String text) {
    StringBuilder safe = new StringBuilder(text.length());
    text.codePoints()
        .map(Markup::visible)
        .forEach(
            c -> {
              switch (c) {
                case '&' -> safe.append("&amp;");
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '"' -> safe.append("&quot;");
                case '\'' -> safe.append("&#39;");
                default -> safe.appendCodePoint(c);
              }
            });
    return safe.toString();
  }

  /** For a line of Markdown, also in a cell of a table. */
  static String markdown(String text) {
    StringBuilder safe = new StringBuilder(text.length());
    text.codePoints()
        .map(Markup::visible)
        .forEach(
            c -> {
              switch (c) {
                case '&' -> safe.append("&amp;");
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '\n', '\r', '\t' -> safe.append(' ');
                default -> {
                  if ("\\`*_{}[]()#!|~".indexOf(c) >= 0) {
                    safe.append('\\');
                  }
                  safe.appendCodePoint(c);
                }
              }
            });
    // Forges make links of bare addresses.
    return safe.toString().strip().replace("://", ":&#47;/");
  }

  /** A block of Markdown that is shown as it is; no text can end it. */
  static String block(String text) {
    String fence = "```";
    while (text.contains(fence)) {
      fence += "`";
    }
    return fence + "\n" + text + "\n" + fence + "\n";
  }

  /** What a reader cannot see, or what turns the order of others around, becomes visible. */
  private static int visible(int c) {
    boolean control = Character.isISOControl(c) && c != '\n' && c != '\t';
    boolean lone = c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
    boolean turns = (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
    return control || lone || turns ? 0xFFFD : c;
  }
}

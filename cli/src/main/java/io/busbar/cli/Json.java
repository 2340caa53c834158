package io.busbar.cli;

import java.util.Locale;

/** The little of JSON that printing needs. */
final class Json {
  private Json() {}

  /** A string with its quotes. */
  static String text(String text) {
    return "\"" + escape(text) + "\"";
  }

  /** A string's characters as they stand between quotes. */
  static String escape(String text) {
    StringBuilder escaped = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> escaped.append("\\\"");
        case '\\' -> escaped.append("\\\\");
        case '\n' -> escaped.append("\\n");
        default -> {
          if (c < 0x20) {
            escaped.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
          } else {
            escaped.append(c);
          }
        }
      }
    }
    return escaped.toString();
  }
}

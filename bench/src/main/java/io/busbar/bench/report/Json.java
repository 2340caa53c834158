package io.busbar.bench.report;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A value of JSON, as {@link JsonReader} reads it. */
sealed interface Json {
  /** Keys and their values, in their order. */
  record Obj(Map<String, Json> values) implements Json {
    boolean has(String key) {
      return values.containsKey(key);
    }

    Json get(String key) {
      return values.getOrDefault(key, Null.NULL);
    }

    /** The text of a key; empty when it has none. */
    String text(String key) {
      return get(key) instanceof Text text ? text.value : "";
    }
  }

  /** Values in a row. */
  record Arr(List<Json> values) implements Json {}

  /** A string. */
  record Text(String value) implements Json {}

  /** A number. */
  record Num(double value) implements Json {}

  /** True or false. */
  record Bool(boolean value) implements Json {}

  /** No value. */
  enum Null implements Json {
    /** The only one. */
    NULL
  }

  /** A string as it is written, with its quotes. */
  static String quote(String text) {
    StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < 0x20 || Character.isSurrogate(c)) {
        quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}

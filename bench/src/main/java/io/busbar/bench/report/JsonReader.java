package io.busbar.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads one value of JSON from a line. What is no JSON is refused, with the place and the reason.
 */
final class JsonReader {
  private static final Pattern SCALAR =
      Pattern.compile("true|false|null|-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");
  private static final int DEPTH_MAX = 32;

  private final String text;
  private int at;
  private int depth;

  private JsonReader(String text) {
    this.text = text;
  }

  /** Reads the whole text as one value. */
  static Json read(String text) {
    JsonReader reader = new JsonReader(text);
    Json value = reader.value();
    if (reader.peek() != 0) {
      throw reader.bad("nothing more");
    }
    return value;
  }

  private BadJson bad(String expected) {
    return new BadJson(
        at >= text.length()
            ? "the line ends where %s is expected".formatted(expected)
            : "expected %s at column %d".formatted(expected, at + 1));
  }

  /** The next character that is no space; 0 at the end. */
  private char peek() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    return at < text.length() ? text.charAt(at) : 0;
  }

  private boolean skip(char c) {
    boolean there = peek() == c;
    at += there ? 1 : 0;
    return there;
  }

  private void expect(char c) {
    if (!skip(c)) {
      throw bad("'" + c + "'");
    }
  }

  private Json value() {
    if (++depth > DEPTH_MAX) {
      throw bad("at most %d brackets within each other".formatted(DEPTH_MAX));
    }
    Json value =
        switch (peek()) {
          case '{' -> object();
          case '[' -> array();
          case '"' -> new Json.Text(string());
          default -> scalar();
        };
    depth--;
    return value;
  }

  private Json object() {
    expect('{');
    Map<String, Json> values = new LinkedHashMap<>();
    if (!skip('}')) {
      do {
        if (peek() != '"') {
          throw bad("a key");
        }
        int keyAt = at;
        String key = string();
        expect(':');
        if (values.put(key, value()) != null) {
          at = keyAt;
          throw bad("another key than " + Json.quote(key) + ", which was there,");
        }
      } while (skip(','));
      expect('}');
    }
    return new Json.Obj(values);
  }

  private Json array() {
    expect('[');
    List<Json> values = new ArrayList<>();
    if (!skip(']')) {
      do {
        values.add(value());
      } while (skip(','));
      expect(']');
    }
    return new Json.Arr(values);
  }

  private Json scalar() {
    Matcher matcher = SCALAR.matcher(text).region(at, text.length());
    if (!matcher.lookingAt()) {
      throw bad("a value");
    }
    Json value =
        switch (matcher.group()) {
          case "true" -> new Json.Bool(true);
          case "false" -> new Json.Bool(false);
          case "null" -> Json.Null.NULL;
          case String number -> new Json.Num(Double.parseDouble(number));
        };
    if (value instanceof Json.Num number && !Double.isFinite(number.value())) {
      throw bad("a smaller number");
    }
    at = matcher.end();
    return value;
  }

  private String string() {
    StringBuilder read = new StringBuilder();
    at++;
    while (at < text.length() && text.charAt(at) != '"') {
      char c = text.charAt(at);
      if (c < 0x20) {
        throw bad("a character that may stand in a string");
      }
      at++;
      read.append(c == '\\' ? escaped() : c);
    }
    expect('"');
    return read.toString();
  }

  private char escaped() {
    char c = at < text.length() ? text.charAt(at) : 0;
    int known = "\"\\/bfnrt".indexOf(c);
    if (c != 0 && known >= 0) {
      at++;
      return "\"\\/\b\f\n\r\t".charAt(known);
    }
    if (c == 'u' && at + 5 <= text.length()) {
      String digits = text.substring(at + 1, at + 5);
      if (digits.chars().allMatch(digit -> Character.digit(digit, 16) >= 0)) {
        at += 5;
        return (char) Integer.parseInt(digits, 16);
      }
    }
    throw bad("an escape");
  }
}

package io.busbar.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read, and what is refused. */
class JsonReaderTest {
  @Test
  void everyKindOfValueIsRead() {
    assertThat(JsonReader.read(" {\"a\" : [1, -2.5e1, true, false, null, \"x\"], \"b\":{}} "))
        .isEqualTo(
            new Json.Obj(
                Map.of(
                    "a",
                    new Json.Arr(
                        List.of(
                            new Json.Num(1),
                            new Json.Num(-25),
                            new Json.Bool(true),
                            new Json.Bool(false),
                            Json.Null.NULL,
                            new Json.Text("x"))),
                    "b",
                    new Json.Obj(Map.of()))));
  }

  /** Whatever is written as a string comes back. */
  @ParameterizedTest
  @ValueSource(
      strings = {"", "a\"b\\c/", "\u0000\u0001\b\f\n\r\t\u001f", "é漢\ud83d\ude00", "\ud83d"})
  void stringsComeBack(String text) {
    assertThat(JsonReader.read(Json.quote(text))).isEqualTo(new Json.Text(text));
  }

  @Test
  void escapesAreRead() {
    assertThat(JsonReader.read("\"\\u0041\\/\\b\\f\\n\\r\\t\\\"\\\\\""))
        .isEqualTo(new Json.Text("A/\b\f\n\r\t\"\\"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "{\"a\":1;the line ends where '}' is expected",
        "{\"a\" 1};expected ':' at column 6",
        "{\"a\":1,};expected a key at column 8",
        "{a:1};expected a key at column 2",
        "[1 2];expected ']' at column 4",
        "[1,];expected a value at column 4",
        "\"abc;the line ends where '\"' is expected",
        "\"\\x\";expected an escape at column 3",
        "\"\\u00g0\";expected an escape at column 3",
        "\"\\u00;expected an escape at column 3",
        "nul;expected a value at column 1",
        "NaN;expected a value at column 1",
        "01;expected nothing more at column 2",
        "1.;expected nothing more at column 2",
        "+1;expected a value at column 1",
        "1e999;expected a smaller number at column 1",
        "{} {};expected nothing more at column 4",
        "{\"a\":1,\"a\":2};expected another key than \"a\", which was there, at column 8",
        "` `;the line ends where a value is expected",
      })
  void whatIsNoJsonIsRefused(String text, String why) {
    assertThatThrownBy(() -> JsonReader.read(text)).isInstanceOf(BadJson.class).hasMessage(why);
  }

  @Test
  void deepLinesAreRefused() {
    assertThatThrownBy(() -> JsonReader.read("[".repeat(100_000)))
        .isInstanceOf(BadJson.class)
        .hasMessageContaining("at most 32 brackets");
  }
}

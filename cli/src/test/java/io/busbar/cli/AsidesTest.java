package io.busbar.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Marked lines are taken out, wherever they are and however they come; the rest is untouched. */
class AsidesTest {
  private final List<String> taken = new ArrayList<>();

  /** What is left of a text that comes in pieces of so many bytes, read in such pieces, too. */
  private String left(String text, int piece) throws IOException {
    InputStream from =
        new ByteArrayInputStream(text.getBytes(UTF_8)) {
          @Override
          public int read(byte[] into, int at, int length) {
            return super.read(into, at, Math.min(length, piece));
          }
        };
    Asides asides = new Asides(from, "#ab:", taken::add);
    StringBuilder left = new StringBuilder();
    byte[] buffer = new byte[piece];
    for (int n = asides.read(buffer, 0, piece); n >= 0; n = asides.read(buffer, 0, piece)) {
      left.append(new String(buffer, 0, n, UTF_8));
    }
    return left.toString();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 64})
  void marksAreFoundAnywhere(int piece) throws Exception {
    String text =
        "one\n#ab:first\ntwo, #ab:second\nthree\n#ab:\n##ab:third\n#a#ab:fourth\n#abc\n#a";
    assertThat(left(text, piece)).isEqualTo("one\ntwo, three\n##a#abc\n#a");
    assertThat(taken).containsExactly("first", "second", "", "third", "fourth");
  }

  /** A process may end in the middle of such a line. */
  @ParameterizedTest
  @ValueSource(ints = {1, 64})
  void halfALineIsNoAside(int piece) throws Exception {
    assertThat(left("one\n#ab:fir", piece)).isEqualTo("one\n");
    assertThat(taken).isEmpty();
  }
}

package io.busbar.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Lines arrive whole, unchanged and once. */
class LinePumpTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final AtomicInteger broken = new AtomicInteger();
  private final LineSink sink = sink(out);

  private LineSink sink(OutputStream stream) {
    return new LineSink(this, new PrintStream(stream, true, UTF_8), broken::incrementAndGet);
  }

  private void pump(String label, String text) {
    new LinePump(
            "test", new ByteArrayInputStream(text.getBytes(UTF_8)), sink, label.getBytes(UTF_8))
        .run();
  }

  private String out() {
    return out.toString(UTF_8);
  }

  @Test
  void everyLineIsTagged() {
    pump("[7] ", "a\n\nb\r\nü");
    assertThat(out()).isEqualTo("[7] a\n[7] \n[7] b\r\n[7] ü\n");
  }

  @Test
  void withoutATagTheBytesAreTheSame() {
    String text = "a\n\nb\n".repeat(50_000);
    pump("", text);
    assertThat(out()).isEqualTo(text);
  }

  @Test
  void nothingIsNoLine() {
    pump("[0] ", "");
    assertThat(out()).isEmpty();
  }

  @Test
  void aLineLongerThanTheBufferStaysOneLine() {
    String line = "x".repeat(3 * LinePump.LINE_BYTES_MAX + 5);
    pump("[1] ", "a\n" + line + "\nb\n" + line);
    assertThat(out()).isEqualTo("[1] a\n[1] " + line + "\n[1] b\n[1] " + line + "\n");
  }

  @Test
  void whatInterruptsAPieceBeginsALine() {
    byte[] none = {};
    sink.write("A", none, "aaa".getBytes(UTF_8), 3);
    sink.write("B", none, "b\n".getBytes(UTF_8), 2);
    sink.write("A", none, "aaa".getBytes(UTF_8), 3);
    sink.endLine("B");
    sink.endLine("A");
    assertThat(out()).isEqualTo("aaa\nb\naaa\n");
  }

  @Test
  void aStreamThatTakesNoMoreIsReported() {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("full");
          }
        };
    new LinePump("test", new ByteArrayInputStream(new byte[] {'a'}), sink(full), new byte[0]).run();
    assertThat(broken).hasValue(1);
  }

  @Test
  void aPipeThatSomebodyKeepsOpenIsNotWaitedForInSilence() throws Exception {
    try (PipedOutputStream kept = new PipedOutputStream();
        PipedInputStream pipe = new PipedInputStream(kept)) {
      LinePump pump = new LinePump("test", pipe, sink, new byte[0]);
      pump.start();
      kept.write("said\n".getBytes(UTF_8));
      kept.flush();
      pump.awaitEnd(() -> false);
      assertThat(out()).isEqualTo("said\n");
    }
  }
}

package io.busbar.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The golden vectors were written from the drawings in docs/wire, not by this code. */
class GoldenTest {
  private static FrameView viewOf(Sample sample) {
    byte[] bytes = sample.golden();
    FrameView view = new FrameView();
    assertEquals(Verdict.OK, view.wrap(MemorySegment.ofArray(bytes), 0, bytes.length));
    return view;
  }

  @ParameterizedTest
  @EnumSource
  void emitterYieldsTheGoldenBytes(Sample sample) {
    HexFormat hex = HexFormat.ofDelimiter(" ");
    assertEquals(hex.formatHex(sample.golden()), hex.formatHex(sample.emitted()));
  }

  @ParameterizedTest
  @EnumSource
  void parserYieldsTheExpectedFrame(Sample sample) {
    assertEquals(sample.expected(), Frame.of(viewOf(sample)));
  }

  @ParameterizedTest
  @EnumSource
  void printerYieldsTheExpectedLine(Sample sample) {
    assertEquals(sample.line(), FramePrinter.line(viewOf(sample)));
  }

  @Test
  void printerIsTheSameInALocaleWithItsOwnDigits() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      assertEquals(Sample.ECNTL.line(), FramePrinter.line(viewOf(Sample.ECNTL)));
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void dataOfFirstLiesBehindItsBlock() {
    FrameView view = viewOf(Sample.FIRST);
    assertEquals(96, view.dataAt());
    assertEquals(3, view.dataLength());
    assertEquals('a', view.segment().get(ValueLayout.JAVA_BYTE, view.dataAt()));
  }

  @Test
  void firstBlockNamesTheVersionsItsSenderSpeaks() {
    FrameView view = viewOf(Sample.FIRST);
    assertEquals(1, FirstBlock.versionMin(view));
    assertEquals(1, FirstBlock.versionMax(view));
  }

  @Test
  void recordsYieldTheGoldenStream() {
    FrameBuilder out = new FrameBuilder(MemorySegment.ofArray(new byte[256]), false, Seal.NONE);
    out.begin();
    record(out, Records.WHOLE, 0, 258, "68656c6c6f");
    record(out, Records.START, 0x80, 0xFFFF, "0500000100dec000");
    record(out, Records.WHOLE, 1, 0, "");
    record(out, Records.WORDS, 0, 7, "01000000020000000300000004000000");
    byte[] frame = new byte[out.frameBytes()];
    out.copyTo(MemorySegment.ofArray(frame), 0);
    byte[] stream = new byte[out.payloadBytes()];
    System.arraycopy(frame, Header.BYTES, stream, 0, stream.length);
    assertArrayEquals(Golden.bytes("records"), stream);
  }

  private static void record(FrameBuilder out, int kind, int flags, int handler, String hex) {
    byte[] payload = HexFormat.of().parseHex(hex);
    out.word(Records.header(kind, flags, handler, payload.length), 0, Records.HEADER_BYTES);
    out.bytes(MemorySegment.ofArray(payload), 0, payload.length);
    out.zeros(Records.padding(payload.length));
  }

  @Test
  void readerYieldsTheExpectedRecords() {
    byte[] stream = Golden.bytes("records");
    RecordLog log = new RecordLog();
    RecordReader reader = new RecordReader();
    assertTrue(reader.feed(MemorySegment.ofArray(stream), 0, stream.length, log));
    assertTrue(reader.isAtBoundary());
    assertEquals(Golden.text("records"), String.join("\n", log.lines()));
  }
}

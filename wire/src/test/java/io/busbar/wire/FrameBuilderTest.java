package io.busbar.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameBuilderTest {
  private static final int LARGE = FrameBuilder.COPY_BELOW_BYTES;

  private final MemorySegment scratch = MemorySegment.ofArray(new byte[70_000]);
  private final FrameBuilder out = new FrameBuilder(scratch, false, Seal.NONE);
  private final MemorySegment source = source();

  private static MemorySegment source() {
    byte[] bytes = new byte[70_000];
    new Random(11).nextBytes(bytes);
    return MemorySegment.ofArray(bytes);
  }

  private static void finish(FrameBuilder builder) {
    builder.finish(Format.DATA, 1, 2, 3, 4, 5, 6, 7, Options.EOM);
  }

  private static byte[] copyOf(FrameBuilder builder) {
    byte[] frame = new byte[builder.frameBytes()];
    builder.copyTo(MemorySegment.ofArray(frame), 0);
    return frame;
  }

  @Test
  void smallPiecesMergeIntoOnePart() {
    out.begin();
    out.word(0x0807_0605_0403_0201L, 0, 8);
    out.bytes(source, 3, LARGE - 1);
    out.zeros(5);
    assertEquals(8 + LARGE - 1 + 5, out.payloadBytes());
    finish(out);
    assertEquals(1, out.parts());
    assertSame(scratch, out.segment(0));
    assertEquals(out.frameBytes(), out.length(0));
  }

  @Test
  void largePiecesStayWhereTheyAre() {
    out.begin();
    out.word(1, 0, 8);
    out.bytes(source, 3, LARGE);
    out.zeros(4);
    out.word(2, 0, 8);
    finish(out);
    assertEquals(3, out.parts());
    assertSame(source, out.segment(1));
    assertEquals(3, out.offset(1));
    assertEquals(LARGE, out.length(1));
    assertEquals(12, out.length(2));
  }

  @Test
  void nothingTakesNoPart() {
    out.begin();
    out.bytes(source, 0, LARGE);
    out.zeros(0);
    out.bytes(source, 0, 0);
    out.word(1, 3, 3);
    finish(out);
    assertEquals(2, out.parts());
    assertEquals(Header.BYTES + LARGE, out.frameBytes());
  }

  @Test
  void wordGivesAnyOfItsBytes() {
    long word = 0x0807_0605_0403_0201L;
    for (int from = 0; from <= 8; from++) {
      for (int to = from; to <= 8; to++) {
        out.begin();
        out.word(word, from, to);
        byte[] frame = copyOf(out);
        byte[] all = {1, 2, 3, 4, 5, 6, 7, 8};
        assertArrayEquals(
            Arrays.copyOfRange(all, from, to), Arrays.copyOfRange(frame, 32, frame.length));
      }
    }
  }

  @Test
  void zerosOverwriteWhatTheScratchHeld() {
    scratch.fill((byte) 0xFF);
    out.begin();
    out.zeros(9);
    byte[] frame = copyOf(out);
    assertArrayEquals(new byte[9], Arrays.copyOfRange(frame, 32, 41));
  }

  /** As long as hasPart holds, a record (header, payload, padding) and the guards find parts. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRecordAndTheGuardsFitWhileHasPart(boolean crc) {
    FrameBuilder builder = new FrameBuilder(scratch, crc, Seal.NONE);
    builder.begin();
    int records = 0;
    while (builder.hasPart()) {
      builder.word(Records.header(Records.WHOLE, 0, 0, LARGE + 1), 0, 8);
      builder.bytes(source, records, LARGE + 1);
      builder.zeros(Records.padding(LARGE + 1));
      records++;
    }
    finish(builder);
    assertTrue(builder.parts() <= FrameBuilder.PARTS_MAX);
    assertEquals(31, records);
    byte[] frame = copyOf(builder);
    FrameView view = new FrameView(crc, Seal.NONE);
    assertEquals(Verdict.OK, view.wrap(MemorySegment.ofArray(frame), 0, frame.length));
    assertEquals(records * Records.streamBytes(LARGE + 1), view.dataLength());
  }

  @Test
  void hasPartIsFalseBeforeThePartsEnd() {
    out.begin();
    int pieces = 0;
    for (; out.hasPart(); pieces++) {
      out.bytes(source, 0, LARGE);
    }
    assertEquals(FrameBuilder.PARTS_MAX - 3, pieces);
    assertFalse(out.hasPart());
    out.begin();
    assertTrue(out.hasPart());
  }

  /** Any mixture of pieces: the frame carries their bytes in order, summed or not. */
  @Test
  void anyMixtureOfPiecesIsCarriedInOrder() {
    for (int seed = 0; seed < 500; seed++) {
      Random random = new Random(seed);
      boolean crc = random.nextBoolean();
      FrameBuilder builder = new FrameBuilder(scratch, crc, Seal.NONE);
      builder.begin();
      byte[] expected = Pieces.add(builder, source, random);
      assertEquals(expected.length, builder.payloadBytes());
      finish(builder);
      byte[] frame = copyOf(builder);
      assertEquals(
          Header.BYTES + expected.length + FrameBuilder.guardBytes(crc, Seal.NONE), frame.length);
      FrameView view = new FrameView(crc, Seal.NONE);
      assertEquals(Verdict.OK, view.wrap(MemorySegment.ofArray(frame), 0, frame.length));
      assertArrayEquals(expected, Arrays.copyOfRange(frame, 32, 32 + expected.length));
    }
  }

  @Test
  void copyToWritesNothingElse() {
    out.begin();
    out.bytes(source, 0, LARGE);
    finish(out);
    MemorySegment to = MemorySegment.ofArray(new byte[out.frameBytes() + 6]);
    to.fill((byte) 0x77);
    out.copyTo(to, 3);
    for (int i = 0; i < 3; i++) {
      assertEquals(0x77, to.get(ValueLayout.JAVA_BYTE, i));
      assertEquals(0x77, to.get(ValueLayout.JAVA_BYTE, to.byteSize() - 1 - i));
    }
    FrameView view = new FrameView();
    assertEquals(Verdict.OK, view.wrap(to, 3, out.frameBytes()));
  }

  @Test
  void aPayloadThatNoHeaderCanSayIsRefused() {
    out.begin();
    out.bytes(source, 0, Header.PAYLOAD_BYTES_MAX);
    finish(out);
    assertEquals(Header.BYTES + Header.PAYLOAD_BYTES_MAX, out.frameBytes());
    out.begin();
    out.bytes(source, 0, Header.PAYLOAD_BYTES_MAX + 1);
    assertThrows(IllegalStateException.class, () -> finish(out));
  }

  @Test
  void guardBytesCountChecksumAndSeal() {
    assertEquals(0, FrameBuilder.guardBytes(false, Seal.NONE));
    assertEquals(4, FrameBuilder.guardBytes(true, Seal.NONE));
    assertEquals(24, FrameBuilder.guardBytes(false, new XorSeal()));
    assertEquals(28, FrameBuilder.guardBytes(true, new XorSeal()));
  }
}

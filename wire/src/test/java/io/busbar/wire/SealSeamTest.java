package io.busbar.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A sealed frame's way out and in, with a toy cipher behind the seam. */
class SealSeamTest {
  private final MemorySegment scratch = MemorySegment.ofArray(new byte[20_000]);
  private final MemorySegment source = source();

  private static MemorySegment source() {
    byte[] bytes = new byte[4000];
    new Random(12).nextBytes(bytes);
    return MemorySegment.ofArray(bytes);
  }

  private static byte[] finished(FrameBuilder out) {
    out.finish(Format.DATA, 1, 2, 3, 4, 5, 6, 7, Options.EOM);
    byte[] frame = new byte[out.frameBytes()];
    out.copyTo(MemorySegment.ofArray(frame), 0);
    return frame;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anyMixtureOfPiecesIsGatheredSealedAndOpened(boolean crc) {
    XorSeal seal = new XorSeal();
    FrameBuilder out = new FrameBuilder(scratch, crc, seal);
    FrameView view = new FrameView(crc, seal);
    for (int seed = 0; seed < 500; seed++) {
      out.begin();
      byte[] expected = Pieces.add(out, source, new Random(seed));
      byte[] frame = finished(out);
      assertEquals(Header.BYTES + expected.length + (crc ? 28 : 24), frame.length);
      assertEquals(1, out.parts(), "a sealed frame lies in one piece");
      assertSame(scratch, out.segment(0));
      assertEquals(Verdict.OK, view.wrap(MemorySegment.ofArray(frame), 0, frame.length));
      assertArrayEquals(expected, Arrays.copyOfRange(frame, 32, 32 + expected.length));
    }
    assertEquals(500, seal.opened());
  }

  @Test
  void guardsStandInOrder() {
    XorSeal seal = new XorSeal();
    FrameBuilder out = new FrameBuilder(scratch, true, seal);
    out.begin();
    out.bytes(source, 0, 300);
    byte[] frame = finished(out);
    MemorySegment segment = MemorySegment.ofArray(frame);
    assertEquals(1, Le.i64(segment, 32 + 300 + 4), "the counter follows the checksum");
    assertEquals(300, Le.u16(segment, Header.LENGTH_AT), "length counts the payload alone");
    assertEquals(Verdict.OK, new FrameView(true, seal).wrap(segment, 0, frame.length));
    int sum = Crc32c.finish(Crc32c.update(Crc32c.start(), segment, 0, 332));
    assertEquals(sum, Le.i32(segment, 332), "the opened checksum follows the payload");
  }

  @Test
  void callersBytesAreNotEnciphered() {
    MemorySegment before = MemorySegment.ofArray(new byte[4000]).copyFrom(source);
    FrameBuilder out = new FrameBuilder(scratch, false, new XorSeal());
    out.begin();
    out.bytes(source, 0, 4000);
    byte[] frame = finished(out);
    assertEquals(-1, source.mismatch(before));
    assertNotEquals(-1, before.mismatch(MemorySegment.ofArray(frame).asSlice(32, 4000)));
  }

  @Test
  void everyChangedByteIsNoticed() {
    FrameBuilder out = new FrameBuilder(scratch, true, new XorSeal());
    out.begin();
    out.bytes(source, 0, 40);
    byte[] whole = finished(out);
    FrameView view = new FrameView(true, new XorSeal());
    for (int at = 0; at < whole.length; at++) {
      byte[] forged = whole.clone();
      forged[at] ^= 1;
      Verdict verdict = view.wrap(MemorySegment.ofArray(forged), 0, forged.length);
      assertFalse(verdict.ok(), "byte " + at);
    }
  }

  @Test
  void aSealBrokenWithinIsNotAChecksumError() {
    FrameBuilder out = new FrameBuilder(scratch, true, new XorSeal());
    out.begin();
    byte[] frame = finished(out);
    frame[Header.BYTES] ^= 1;
    FrameView view = new FrameView(true, new XorSeal());
    assertEquals(Verdict.SEAL_WRONG, view.wrap(MemorySegment.ofArray(frame), 0, frame.length));
  }

  @Test
  void aSealedFrameWithoutItsChecksumIsRefusedWhereOneIsRequired() {
    FrameBuilder out = new FrameBuilder(scratch, false, new XorSeal());
    out.begin();
    byte[] frame = finished(out);
    FrameView view = new FrameView(true, new XorSeal());
    assertEquals(Verdict.CRC_MISSING, view.wrap(MemorySegment.ofArray(frame), 0, frame.length));
  }

  @Test
  void noneSealsAndOpensNothing() {
    assertFalse(Seal.NONE.active());
    assertFalse(Seal.NONE.open(scratch, 0, 32));
    assertThrows(IllegalStateException.class, () -> Seal.NONE.seal(scratch, 0, 32));
  }
}

package io.busbar.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordReaderTest {
  /** A stream of random records, and what a reader should make of it. */
  private static final class Stream {
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    final List<String> lines = new ArrayList<>();

    void add(Random random) {
      byte[] payload = new byte[random.nextInt(3) == 0 ? 0 : random.nextInt(40)];
      random.nextBytes(payload);
      int kind = random.nextInt(Records.WHOLE, Records.ALIVE + 1);
      long header =
          Records.header(kind, random.nextInt(256), random.nextInt(65_536), payload.length);
      for (int i = 0; i < 8; i++) {
        bytes.write((int) (header >>> (8 * i)));
      }
      bytes.writeBytes(payload);
      // Padding is not looked at; what is in it must not matter.
      for (int i = payload.length; i % 8 != 0; i++) {
        bytes.write(0xFF);
      }
      String hex = HexFormat.of().formatHex(payload);
      lines.add(RecordLog.line(header) + (hex.isEmpty() ? "" : " " + hex));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 8, 9, 64, 1000})
  void cutsAnywhereYieldTheSameRecords(int pieceMax) {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      Stream stream = new Stream();
      for (int i = random.nextInt(20); i >= 0; i--) {
        stream.add(random);
      }
      RecordLog log = new RecordLog();
      RecordReader reader = new RecordReader();
      byte[] all = stream.bytes.toByteArray();
      MemorySegment segment = MemorySegment.ofArray(all);
      for (int at = 0; at < all.length; ) {
        int piece = Math.min(all.length - at, random.nextInt(pieceMax + 1));
        // A slice of its own for each piece: reading past its end throws.
        assertTrue(reader.feed(segment.asSlice(0, at + piece), at, piece, log));
        at += piece;
      }
      assertEquals(stream.lines, log.lines(), "seed " + seed + " pieces to " + pieceMax);
      assertTrue(reader.isAtBoundary());
    }
  }

  private static MemorySegment words(long... words) {
    MemorySegment segment = MemorySegment.ofArray(new byte[words.length * 8]);
    for (int i = 0; i < words.length; i++) {
      segment.set(Le.LONG, i * 8L, words[i]);
    }
    return segment;
  }

  @Test
  void emptyRecordIsItsHeaderAlone() {
    long header = Records.header(Records.WHOLE, 0, 9, 0);
    RecordLog log = new RecordLog();
    RecordReader reader = new RecordReader();
    assertTrue(reader.feed(words(header, header), 0, 16, log));
    assertEquals(List.of(RecordLog.line(header), RecordLog.line(header)), log.lines());
    assertTrue(reader.isAtBoundary());
  }

  @Test
  void isAtBoundaryOnlyBetweenRecords() {
    MemorySegment stream = words(Records.header(Records.WHOLE, 0, 0, 3), 0x0000_0000_0063_6261L);
    RecordReader reader = new RecordReader();
    RecordLog log = new RecordLog();
    for (int at = 0; at < 16; at++) {
      assertEquals(at == 0, reader.isAtBoundary(), "before byte " + at);
      assertTrue(reader.feed(stream, at, 1, log));
    }
    assertTrue(reader.isAtBoundary());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 8, 16, 24})
  void anUnsoundHeaderBreaksTheStreamForGood(int pieceMax) {
    long good = Records.header(Records.WHOLE, 0, 1, 0);
    MemorySegment stream = words(good, Records.header(8, 0, 0, 0), good);
    RecordLog log = new RecordLog();
    RecordReader reader = new RecordReader();
    boolean sound = true;
    for (int at = 0; at < 24; at += pieceMax) {
      sound = reader.feed(stream, at, Math.min(pieceMax, 24 - at), log);
    }
    assertFalse(sound);
    assertFalse(reader.feed(stream, 0, 8, log));
    assertFalse(reader.feed(stream, 0, 0, log));
    assertFalse(reader.isAtBoundary());
    assertEquals(List.of(RecordLog.line(good)), log.lines());
  }

  @Test
  void soundHeadersHaveAKnownKindAndABoundedLength() {
    assertTrue(Records.isSound(Records.header(Records.WHOLE, 255, 0xFFFF, 0)));
    assertTrue(Records.isSound(Records.header(Records.WORDS, 0, 0, Records.LENGTH_MAX)));
    assertFalse(Records.isSound(Records.header(Records.WORDS, 0, 0, Records.LENGTH_MAX + 1)));
    assertFalse(Records.isSound(Records.header(Records.WHOLE, 0, 0, -1)));
    assertFalse(Records.isSound(Records.header(0, 0, 0, 0)));
    assertFalse(Records.isSound(Records.header(8, 0, 0, 0)));
    assertFalse(Records.isSound(0));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 8, 9, 16, 65_535, Records.LENGTH_MAX})
  void recordsEndAtMultiplesOfEight(int length) {
    long whole = Records.streamBytes(length);
    assertEquals(0, whole % 8);
    assertTrue(whole - length >= 8 && whole - length < 16);
  }
}

package io.busbar.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class Crc32cTest {
  private static int sum(MemorySegment segment, long at, long length) {
    return Crc32c.finish(Crc32c.update(Crc32c.start(), segment, at, length));
  }

  private static int expected(byte[] bytes, int at, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, at, length);
    return (int) crc.getValue();
  }

  @Test
  void checkValueOfNineDigits() {
    byte[] digits = "123456789".getBytes(US_ASCII);
    assertEquals(0xE306_9283, sum(MemorySegment.ofArray(digits), 0, 9));
  }

  @Test
  void equalsTheJdksForEveryShortLengthAndOffset() {
    byte[] bytes = new byte[300];
    new Random(3).nextBytes(bytes);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment heap = MemorySegment.ofArray(bytes);
      MemorySegment direct = arena.allocate(bytes.length).copyFrom(heap);
      for (int at = 0; at < 17; at++) {
        for (int length = 0; at + length <= bytes.length; length++) {
          int expected = expected(bytes, at, length);
          assertEquals(expected, sum(heap, at, length));
          assertEquals(expected, sum(direct, at, length));
        }
      }
    }
  }

  @Test
  void equalsTheJdksForLongOnes() {
    Random random = new Random(4);
    byte[] bytes = new byte[70_000];
    random.nextBytes(bytes);
    for (int i = 0; i < 200; i++) {
      int at = random.nextInt(64);
      int length = random.nextInt(bytes.length - at);
      assertEquals(expected(bytes, at, length), sum(MemorySegment.ofArray(bytes), at, length));
    }
  }

  @Test
  void piecesAddUp() {
    Random random = new Random(5);
    byte[] bytes = new byte[1000];
    random.nextBytes(bytes);
    MemorySegment segment = MemorySegment.ofArray(bytes);
    for (int i = 0; i < 1000; i++) {
      int cut = random.nextInt(bytes.length + 1);
      int state = Crc32c.update(Crc32c.start(), segment, 0, cut);
      state = Crc32c.update(state, segment, cut, bytes.length - cut);
      assertEquals(expected(bytes, 0, bytes.length), Crc32c.finish(state));
    }
  }
}

package io.busbar.wire;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;

/** Fills a builder with a random mixture of small and large pieces. */
final class Pieces {
  private Pieces() {}

  /** Adds up to twenty pieces, some of nothing; returns the payload that they should make. */
  static byte[] add(FrameBuilder builder, MemorySegment source, Random random) {
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    for (int i = random.nextInt(20); i > 0 && builder.hasPart(); i--) {
      switch (random.nextInt(4)) {
        case 0 -> {
          int length = random.nextInt(9);
          builder.zeros(length);
          expected.writeBytes(new byte[length]);
        }
        case 1 -> {
          long word = random.nextLong();
          builder.word(word, 0, 8);
          for (int b = 0; b < 8; b++) {
            expected.write((int) (word >>> (8 * b)));
          }
        }
        default -> {
          int length = random.nextInt(3 * FrameBuilder.COPY_BELOW_BYTES);
          int at = random.nextInt(1000);
          builder.bytes(source, at, length);
          expected.writeBytes(source.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE));
        }
      }
    }
    return expected.toByteArray();
  }
}

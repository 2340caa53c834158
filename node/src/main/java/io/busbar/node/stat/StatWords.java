package io.busbar.node.stat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Words of the file; naturally aligned, so that each is loaded and stored whole. */
final class StatWords {
  private static final VarHandle LONG =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();
  private static final VarHandle INT =
      ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();

  private StatWords() {}

  static long get(MemorySegment memory, long at) {
    return (long) LONG.getOpaque(memory, at);
  }

  /** What was written before the word was stored is seen after this. */
  static long acquire(MemorySegment memory, long at) {
    return (long) LONG.getAcquire(memory, at);
  }

  static void set(MemorySegment memory, long at, long word) {
    LONG.setOpaque(memory, at, word);
  }

  /** What was written before is seen by who acquires the word. */
  static void release(MemorySegment memory, long at, long word) {
    LONG.setRelease(memory, at, word);
  }

  /** The same for half a word. */
  static void release(MemorySegment memory, long at, int half) {
    INT.setRelease(memory, at, half);
  }

  /** A text as UTF-8, cut before the first character that has no room, zeros behind it. */
  static void text(MemorySegment memory, long at, int room, String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(room, utf8.length);
    while (length < utf8.length && length > 0 && (utf8[length] & 0xC0) == 0x80) {
      length--;
    }
    for (int i = 0; i < room; i += Long.BYTES) {
      long word = 0;
      for (int j = Math.min(length - i, Long.BYTES) - 1; j >= 0; j--) {
        word = word << 8 | (utf8[i + j] & 0xFF);
      }
      set(memory, at + i, word);
    }
  }
}

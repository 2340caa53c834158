package io.busbar.node.stat;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Texts of the file: UTF-8 in a fixed room, zeros behind it. */
final class StatTexts {
  private StatTexts() {}

  /** Whether a counter can have this name. */
  static boolean isName(String name, int room) {
    boolean fits = !name.isEmpty() && name.length() <= room;
    return fits && name.chars().allMatch(c -> c > ' ' && c < 0x7F);
  }

  /** Writes a text; it is cut before the first character that has no room. */
  static void write(MemorySegment memory, long at, int room, String text) {
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
      StatWords.set(memory, at + i, word);
    }
  }

  /** Reads a text up to its zeros, whatever its characters are. */
  static String read(ByteBuffer copy, int at, int room) {
    int length = 0;
    while (length < room && copy.get(at + length) != 0) {
      length++;
    }
    byte[] utf8 = new byte[length];
    copy.get(at, utf8);
    return new String(utf8, StandardCharsets.UTF_8);
  }

  /** Reads a text; what a terminal would obey, or cannot show, is a question mark. */
  static String shown(ByteBuffer copy, int at, int room) {
    StringBuilder shown = new StringBuilder(room);
    read(copy, at, room)
        .codePoints()
        .map(c -> isShown(c) ? c : '?')
        .forEach(shown::appendCodePoint);
    return shown.toString();
  }

  private static boolean isShown(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}

package io.busbar.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Memory whose every byte tells where it came from. */
final class Patterns {
  private Patterns() {}

  static MemorySegment of(Arena arena, int bytes, int seed) {
    MemorySegment segment = arena.allocate(bytes, 64);
    for (int i = 0; i < bytes; i++) {
      segment.set(JAVA_BYTE, i, (byte) (i * 31 + (i >>> 8) * 7 + seed));
    }
    return segment;
  }
}

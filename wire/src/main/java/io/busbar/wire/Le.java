package io.busbar.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Unaligned little-endian access, the only kind that frames allow. */
final class Le {
  static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Le() {}

  static int u8(MemorySegment segment, long at) {
    return segment.get(ValueLayout.JAVA_BYTE, at) & 0xFF;
  }

  static int u16(MemorySegment segment, long at) {
    return segment.get(SHORT, at) & 0xFFFF;
  }

  static int i32(MemorySegment segment, long at) {
    return segment.get(INT, at);
  }

  static long i64(MemorySegment segment, long at) {
    return segment.get(LONG, at);
  }
}

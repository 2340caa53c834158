package io.busbar.messages;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Numbers in messages are little-endian, and stand anywhere. */
final class Little {
  static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Little() {}
}

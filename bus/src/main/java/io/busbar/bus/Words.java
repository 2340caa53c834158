package io.busbar.bus;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** How words of a stream are written. */
final class Words {
  static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Words() {}
}

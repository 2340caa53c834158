package io.busbar.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Writes down the records that a reader yields, and refuses calls out of order. */
final class RecordLog implements RecordReader.Sink {
  private final List<String> lines = new ArrayList<>();
  private int expected;

  List<String> lines() {
    return lines;
  }

  @Override
  public void onRecord(long header) {
    requireOrder(expected == 0, "a record began inside another");
    expected = Records.length(header);
    lines.add(line(header) + (expected == 0 ? "" : " "));
  }

  @Override
  public void onBytes(MemorySegment segment, long at, int length, boolean last) {
    requireOrder(length > 0 && length <= expected, "a piece of " + length + " for " + expected);
    expected -= length;
    requireOrder(last == (expected == 0), "last=" + last + " with " + expected + " to come");
    byte[] piece = segment.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE);
    lines.set(lines.size() - 1, lines.getLast() + HexFormat.of().formatHex(piece));
  }

  /** How a record's header is written down. */
  static String line(long header) {
    return "kind="
        + Records.kind(header)
        + " flags="
        + Records.flags(header)
        + " handler="
        + Records.handler(header)
        + " length="
        + Records.length(header);
  }

  private static void requireOrder(boolean inOrder, String what) {
    if (!inOrder) {
      throw new IllegalStateException(what);
    }
  }
}

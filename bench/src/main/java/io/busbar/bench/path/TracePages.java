package io.busbar.bench.path;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;

/**
 * Reads the pages of a ring buffer of the kernel's tracing, as {@code trace_pipe_raw} gives them
 * and {@code events/header_page} and {@code events/header_event} draw them: text would have
 * microseconds only.
 */
final class TracePages {
  private static final int COMMIT_AT = 8;
  private static final int DATA_AT = 16;
  private static final int LENGTH_MASK = (1 << 20) - 1;
  private static final int PADDING = 29;
  private static final int TIME_EXTEND = 30;
  private static final int TIME_STAMP = 31;
  private static final int DELTA_BITS = 27;

  /** How an event lies in memory; an offset is negative when it has no such field. */
  record Layout(String name, int frameAt, int otherAt) {}

  private final Map<Integer, Layout> layouts;

  TracePages(Map<Integer, Layout> layouts) {
    this.layouts = layouts;
  }

  /** Adds the events of a page; those without a layout are left out. */
  void read(byte[] page, int length, List<KernelEvent> to) {
    ByteBuffer bytes = ByteBuffer.wrap(page, 0, length).order(ByteOrder.nativeOrder());
    long atNs = bytes.getLong(0);
    int end = Math.min(length, DATA_AT + (bytes.getInt(COMMIT_AT) & LENGTH_MASK));
    int at = DATA_AT;
    while (at + Integer.BYTES <= end) {
      int head = bytes.getInt(at);
      int type = head & 31;
      long delta = Integer.toUnsignedLong(head) >>> 5;
      if (type == PADDING && delta == 0) {
        return;
      }
      long array = at + 8 <= end ? Integer.toUnsignedLong(bytes.getInt(at + 4)) : 0;
      if (type == TIME_STAMP) {
        atNs = (array << DELTA_BITS) + delta;
        at += 8;
      } else if (type == TIME_EXTEND) {
        atNs += (array << DELTA_BITS) + delta;
        at += 8;
      } else {
        atNs += delta;
        boolean isLong = type == 0;
        int size = isLong || type == PADDING ? (int) array : 4 * type;
        int data = at + (isLong ? 8 : 4);
        if (type != PADDING && data + 8 <= end) {
          event(bytes, data, end, atNs, to);
        }
        at += 4 + size;
      }
    }
  }

  private void event(ByteBuffer bytes, int at, int end, long atNs, List<KernelEvent> to) {
    Layout layout = layouts.get(bytes.getShort(at) & 0xFFFF);
    if (layout != null) {
      int frameAt = at + layout.frameAt;
      int otherAt = at + layout.otherAt;
      long frame = layout.frameAt >= 0 && frameAt + 8 <= end ? bytes.getLong(frameAt) : 0;
      int other = layout.otherAt >= 0 && otherAt + 4 <= end ? bytes.getInt(otherAt) : 0;
      to.add(new KernelEvent(atNs, layout.name, bytes.getInt(at + 4), frame, other));
    }
  }
}

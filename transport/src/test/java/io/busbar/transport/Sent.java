package io.busbar.transport;

import io.busbar.wire.Format;
import io.busbar.wire.Frame;
import io.busbar.wire.FrameView;
import io.busbar.wire.Options;
import java.lang.foreign.MemorySegment;

/** A frame that left one end of a {@link Pair}. */
final class Sent {
  private final long atNs;
  private final int from;
  private final byte[] bytes;

  Sent(long atNs, int from, byte[] bytes) {
    this.atNs = atNs;
    this.from = from;
    this.bytes = bytes;
  }

  int from() {
    return from;
  }

  byte[] bytes() {
    return bytes;
  }

  private FrameView view() {
    FrameView view = new FrameView();
    if (!view.wrap(MemorySegment.ofArray(bytes), 0, bytes.length).ok()) {
      throw new AssertionError("a transport sent a frame that does not hold");
    }
    return view;
  }

  Frame frame() {
    return Frame.of(view());
  }

  int format() {
    return view().format();
  }

  boolean has(int option) {
    return view().has(option);
  }

  long seq() {
    return view().seq();
  }

  int dataBytes() {
    return view().dataLength();
  }

  boolean isData() {
    return format() == Format.DATA;
  }

  boolean isFirst() {
    return format() == Format.FIRST;
  }

  boolean isStatus() {
    return format() == Format.CNTL || format() == Format.ECNTL;
  }

  @Override
  public String toString() {
    FrameView v = view();
    return "%d: %d %s %s seq %d, %d bytes"
        .formatted(
            atNs,
            from,
            Format.name(v.format()),
            Options.names(v.options()),
            v.seq(),
            v.dataLength());
  }
}

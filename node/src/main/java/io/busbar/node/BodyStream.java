package io.busbar.node;

import io.busbar.wire.Records;
import java.lang.foreign.MemorySegment;

/**
 * One channel of a lane over datagrams: an association for each way, opened with the first body,
 * and used for one body after the other. Its bytes are given on as they come.
 */
final class BodyStream extends QmpStream {
  private final int channel;
  private int flags;

  BodyStream(QmpLane lane, int port, int channel) {
    super(lane, port, false, 0);
    this.channel = channel;
  }

  @Override
  public void onRecord(long word) {
    if (Records.kind(word) != Records.BODY) {
      refuse();
      return;
    }
    flags = Records.flags(word);
    int length = Records.length(word);
    dealtWith(Records.streamBytes(length) - length); // header and padding are nobody's
    if (length == 0) {
      give(MemorySegment.NULL, 0, 0, true);
    }
  }

  @Override
  public void onBytes(MemorySegment memory, long at, int bytes, boolean last) {
    if (!isUnusable()) {
      give(memory, at, bytes, last);
    }
  }

  private void give(MemorySegment memory, long at, int bytes, boolean last) {
    if (!lane().onPiece(channel, last ? flags : 0, memory, at, bytes)) {
      refuse();
    }
  }
}

package io.busbar.node;

import io.busbar.wire.Bodies;
import io.busbar.wire.Records;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The records of a lane itself. Each side writes to the association that the peer opened, if there
 * is one when the first record is sent, else to one that it opens. Two that begin at once come down
 * to one of them, so that answers ride on records. A record is given on when it is whole.
 */
final class LaneStream extends QmpStream {
  private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;

  private long header;
  private int length;
  private final Gathered gathered = new Gathered();

  /** More than a record may wait, so that every record can be gathered. */
  LaneStream(QmpLane lane, int port, long parkedBytesMax) {
    super(lane, port, true, Math.max(parkedBytesMax, 2L * Lane.RECORD_BYTES_MAX));
  }

  @Override
  public void onRecord(long word) {
    header = word;
    length = Records.length(word);
    gathered.begin();
    if (length > Lane.RECORD_BYTES_MAX || !belongs(word)) {
      refuse();
    } else if (length == 0) {
      give(MemorySegment.NULL, 0, false);
    }
  }

  private static boolean belongs(long word) {
    return switch (Records.kind(word)) {
      case Records.BODY_DONE -> Records.length(word) == Long.BYTES;
      case Records.ALIVE -> Records.length(word) == 0;
      default -> Lane.isMessage(word);
    };
  }

  @Override
  public void onBytes(MemorySegment memory, long at, int bytes, boolean last) {
    if (isUnusable()) {
      return;
    }
    if (last && gathered.bytes() == 0) {
      give(memory, at, true);
      return;
    }
    gathered.add(memory, at, bytes);
    if (last) {
      give(gathered.show(), 0, false);
      gathered.hide();
    }
  }

  /** Where a record lies that came in several pieces. */
  Gathered gathered() {
    return gathered;
  }

  /** Whether it is the turn of the body that a START names. */
  private boolean isInTurn(MemorySegment memory, long at) {
    return Lane.isSoundStart(memory, at)
        && lane().onStart(memory.get(WORD, at + Bodies.START_BODY_AT));
  }

  private void give(MemorySegment memory, long at, boolean inFrame) {
    if (Lane.isMessage(header)) {
      if (Records.kind(header) == Records.START && !isInTurn(memory, at)) {
        refuse();
        return;
      }
      lane().onMessage(header, memory, at, length, inFrame);
      return;
    }
    dealtWith(Records.streamBytes(length));
    if (Records.kind(header) == Records.BODY_DONE && !lane().onBodyDone(memory.get(WORD, at))) {
      refuse();
    }
  }
}

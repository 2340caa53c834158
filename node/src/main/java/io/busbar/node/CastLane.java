package io.busbar.node;

import io.busbar.bus.CastOut;
import io.busbar.wire.Blocked;
import io.busbar.wire.Bodies;
import io.busbar.wire.Records;
import java.lang.foreign.MemorySegment;

/** The way to all members, or to a group of them. Bodies go through the same stream. */
final class CastLane extends Lane {
  private static final int PIECE_BYTES_MAX = 32 << 10;

  private final Broadcasts broadcasts;
  private final CastOut out;

  CastLane(Engine engine, int destination, Broadcasts broadcasts, CastOut out) {
    super(engine, destination);
    this.broadcasts = broadcasts;
    this.out = out;
  }

  /** Whether this is the stream that it puts messages into. */
  boolean speaksTo(CastOut stream) {
    return stream.equals(out);
  }

  @Override
  long onTheWayBytes() {
    return unsettledBytes();
  }

  @Override
  public long unsettledBytes() {
    return out.unsettledBytes();
  }

  @Override
  public boolean copies() {
    return true;
  }

  @Override
  public String fabric() {
    return "broadcast";
  }

  @Override
  public int trySend(long header, MemorySegment from, long at, long token) {
    return send(header, from, at, true);
  }

  @Override
  public int pieceBytesMax() {
    return PIECE_BYTES_MAX;
  }

  @Override
  int sendPiece(int channel, int flags, MemorySegment from, long at, int length, long token) {
    int result = send(Records.header(Records.BODY, flags, channel, length), from, at, false);
    if (result == DONE && (flags & Bodies.LAST) != 0) {
      freeChannel(channel); // what follows in it comes behind this
    }
    return result;
  }

  private int send(long header, MemorySegment from, long at, boolean isMessage) {
    if (isEnded() || !broadcasts.trySend(out, header, from, at, isMessage)) {
      refused(RECORDS, Blocked.WINDOW_FULL);
      return REFUSED;
    }
    sent(RECORDS, Records.length(header));
    return DONE;
  }

  // Nothing comes by it.

  @Override
  public void done(int length) {}

  @Override
  public void bodyDone(long body, long bytes) {}

  @Override
  public void endBody(long body) {}

  @Override
  public long claim() {
    return NO_CLAIM;
  }

  @Override
  public void release(long claim) {}

  @Override
  void retry() {}
}
